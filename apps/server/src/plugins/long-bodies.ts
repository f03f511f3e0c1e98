import { LONG_BODY_MAX, SHORT_BODY_MAX } from '@parley/contract/schemas';
import type { App } from '../context.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import { getCurrentSession } from './current-session.ts';

/** Bytes of the long JSON bodies of an account that are in memory: sixteen of the longest. */
const OWNER_BYTES_MAX = 16 * LONG_BODY_MAX;

/**
 * Limits the memory of an account for JSON bodies that are received, wait, or are handled. Only endpoints for users
 * accept long ones.
 */
export function registerLongBodies(app: App): void {
  const bytesByOwner = new Map<string, number>();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { bodyLimit } = request.routeOptions;
    const size = Number(request.headers['content-length'] ?? bodyLimit);
    if (bodyLimit <= SHORT_BODY_MAX || size <= SHORT_BODY_MAX) return done(null, payload);
    // Rejected by the parser.
    if (!(size <= bodyLimit)) return done(null, payload);
    const { userId } = getCurrentSession(request);
    const bytes = (bytesByOwner.get(userId) ?? 0) + size;
    if (bytes > OWNER_BYTES_MAX) return done(createOverloadError());
    bytesByOwner.set(userId, bytes);
    reply.raw.once('close', () => {
      const rest = (bytesByOwner.get(userId) ?? 0) - size;
      if (rest > 0) bytesByOwner.set(userId, rest);
      else bytesByOwner.delete(userId);
    });
    return done(null, payload);
  });
}
