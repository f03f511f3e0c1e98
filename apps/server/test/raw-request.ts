import { request, type IncomingHttpHeaders } from 'node:http';

/** A response as it was received, without any processing. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request whose path and headers are sent without any processing. */
export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/**
 * Sends a request. Rejects after `timeout` milliseconds without a response, or if the connection
 * breaks.
 */
export function sendRaw(
  url: string,
  { method, path, headers, body }: RawRequest,
  timeout: number,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const signal = AbortSignal.timeout(timeout);
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

// Without a length, the server would read the body of a GET as the next request.
function framed(headers: Record<string, string>, body: Buffer | undefined) {
  if (body === undefined || 'transfer-encoding' in headers) return headers;
  return { ...headers, 'content-length': String(body.length) };
}
