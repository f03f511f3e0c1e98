import { net, type ClientRequest, type IncomingMessage, type Session } from 'electron';
import type { PageUpload } from './origin-handler.ts';
import type { Following } from './uploads.ts';

/** Milliseconds between two reports of the progress. */
const PROGRESS_INTERVAL_MS = 250;
/** Headers that no longer describe the body once it has been read. */
const BODY_HEADERS = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/**
 * Sends an upload with the cookies of a session. Unlike `Session.fetch`, reports its progress. Does not use the
 * chunked encoding, as Electron cannot repeat such a request when a connection that was kept open has died.
 */
export async function sendUpload(
  session: Session,
  { url, method, headers, body }: PageUpload,
  { signal, onProgress }: Following,
): Promise<Response> {
  const request = net.request({
    session,
    url,
    method,
    // The mode that `Session.fetch` sets, too.
    headers: { ...Object.fromEntries(headers), 'sec-fetch-mode': 'cors' },
    credentials: 'include',
    redirect: 'error',
    bypassCustomProtocolHandlers: true,
  });
  const timer = setInterval(() => {
    const { current, total } = request.getUploadProgress();
    if (total > 0) onProgress(current / total);
  }, PROGRESS_INTERVAL_MS);
  signal.addEventListener('abort', () => request.abort(), { once: true });
  try {
    const [response] = await Promise.all([
      receiveResponse(request),
      writeBody(request, body, signal),
    ]);
    return response;
  } catch (error) {
    request.abort();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function writeBody(
  request: ClientRequest,
  body: PageUpload['body'],
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of body) {
    signal.throwIfAborted();
    request.write(Buffer.from(chunk));
  }
  signal.throwIfAborted();
  request.end();
}

function receiveResponse(request: ClientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    request.on('response', (response) => void readResponse(response).then(resolve, reject));
    request.on('error', reject);
    request.on('abort', () => reject(new DOMException('Canceled', 'AbortError')));
  });
}

async function readResponse(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  response.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  await new Promise<void>((resolve, reject) => {
    response.on('end', resolve);
    response.on('error', reject);
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (!BODY_HEADERS.has(name)) headers.set(name, [value].flat().join(', '));
  }
  return new Response(Buffer.concat(chunks), { status: response.statusCode, headers });
}
