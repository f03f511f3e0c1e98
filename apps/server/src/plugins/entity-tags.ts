import { createHash } from 'node:crypto';
import type { App } from '../context.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response has an `ETag`, and a client that has the same one already gets 304 without a body. */
    hasEntityTag?: true;
  }
}

/**
 * Tags the responses of routes that ask for it (RFC 9110 §8.8.3). Register it before the compression: the
 * tag is of what the response says, and the compressed bytes differ each time.
 */
export function registerEntityTags(app: App): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.config.hasEntityTag !== true) return payload;
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url')}"`;
    void reply.header('etag', etag);
    if (!matchesEntityTag(request.headers['if-none-match'], etag)) return payload;
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  });
}
