import { Signer } from '@fastify/cookie';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 20_000;

/**
 * Signs session cookies. A request checks its cookie's signature and makes it once more; those that
 * were right lately are remembered.
 */
export function createCookieSigner(secret: string): Signer {
  const signer = new Signer(secret);
  const results = new LRUCache<string, ReturnType<Signer['unsign']>>({ max: REMEMBERED });
  const cookies = new LRUCache<string, string>({ max: REMEMBERED });
  return {
    sign: (sessionId) => cookies.get(sessionId) ?? signer.sign(sessionId),
    unsign(cookie) {
      const known = results.get(cookie);
      if (known !== undefined) return known;
      const result = signer.unsign(cookie);
      if (result.valid) {
        results.set(cookie, result);
        cookies.set(result.value, cookie);
      }
      return result;
    },
  };
}
