import { callbackify } from 'node:util';
import type { App } from '../context.ts';
import { acceptedEncodings } from '../http/accept-encoding.ts';
import { isJsonReply } from '../http/is-json-reply.ts';
import { gzipJson } from '../http/json-gzip.ts';

/**
 * Minimum length of compressed responses, in characters. Below it, compression saves hardly
 * anything.
 */
const MIN_LENGTH = 1024;

/**
 * Compresses JSON responses without revealing repeated values by their length (see {@link
 * gzipJson}). Files are compressed at build time.
 */
export function registerCompression(app: App): void {
  const compress = callbackify(gzipJson);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isJsonReply(reply) || typeof payload !== 'string' || payload.length < MIN_LENGTH)
      return done(null, payload);
    void reply.header('vary', 'accept-encoding');
    const encodings = acceptedEncodings(request.headers['accept-encoding']);
    if (!encodings.includes('gzip')) return done(null, payload);
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return compress(payload, done);
  });
}
