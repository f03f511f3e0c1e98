import { request, type IncomingHttpHeaders } from 'node:http';

/** An answer as it came. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request that no tidy client would send: path and headers go out as they are. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Sends a request. Rejects if no answer has come after `patience` milliseconds, or the connection breaks. */
export function sendRaw(
  url: string,
  { method, path, headers, body }: RawRequest,
  patience: number,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const signal = AbortSignal.timeout(patience);
    const options = { hostname, port, method, path, headers: framed(headers, body), signal };
    const sent = request(options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// The client would leave this out of a GET, and the body would be read as the next request.
function framed(headers: Record<string, string>, body: Buffer | undefined) {
  if (body === undefined || 'transfer-encoding' in headers) return headers;
  return { ...headers, 'content-length': String(body.length) };
}
