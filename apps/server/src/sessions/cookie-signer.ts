import { Signer } from '@fastify/cookie';
import { LRUCache } from 'lru-cache';

const CACHE_SIZE = 20_000;

/**
 * Creates a signer for session cookies that caches valid signatures, because each request verifies
 * its cookie and signs it again.
 */
export function createCookieSigner(secret: string): Signer {
  const signer = new Signer(secret);
  const results = new LRUCache<string, ReturnType<Signer['unsign']>>({ max: CACHE_SIZE });
  const cookies = new LRUCache<string, string>({ max: CACHE_SIZE });
  return {
    sign: (sessionId) => cookies.get(sessionId) ?? signer.sign(sessionId),
    unsign(cookie) {
      const cached = results.get(cookie);
      if (cached !== undefined) return cached;
      const result = signer.unsign(cookie);
      if (result.valid) {
        results.set(cookie, result);
        cookies.set(result.value, cookie);
      }
      return result;
    },
  };
}
