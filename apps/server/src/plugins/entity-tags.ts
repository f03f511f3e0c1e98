import { createHash } from 'node:crypto';
import type { App } from '../context.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether responses get an `ETag`, and clients that already have the same one get 304 without a
     * body.
     */
    hasEntityTag?: true;
  }
}

/**
 * Adds entity tags (RFC 9110 §8.8.3) to responses of routes with `hasEntityTag`. Register it before
 * the compression, because the tag is computed from the uncompressed body.
 */
export function registerEntityTags(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.routeOptions.config.hasEntityTag !== true) return done(null, payload);
    if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url')}"`;
    void reply.header('etag', etag);
    if (!matchesEntityTag(request.headers['if-none-match'], etag)) return done(null, payload);
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return done(null, '');
  });
}
