import type { App } from '../context.ts';
import { acceptedEncodings } from '../http/accept-encoding.ts';
import { gzipJson } from '../http/json-gzip.ts';

/** Responses below this, in characters, are hardly smaller on the wire. */
const MIN_LENGTH = 1024;

/**
 * Compresses JSON responses, in a way that does not open them to guessing by their length. Files
 * are compressed when they are built.
 */
export function registerCompression(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isJson || typeof payload !== 'string' || payload.length < MIN_LENGTH) return payload;
    void reply.header('vary', 'accept-encoding');
    if (!acceptedEncodings(request.headers['accept-encoding']).includes('gzip')) return payload;
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return gzipJson(payload);
  });
}
