import type { EndpointName } from '@parley/contract';
import type { MemoryServer } from '@parley/memory-server';

/** Delays the requests of an endpoint until the returned function is called. */
export function holdRequests(server: MemoryServer, endpoint: EndpointName): () => void {
  const held = Promise.withResolvers<void>();
  const restore = server.intercept(endpoint, async (_, next) => {
    await held.promise;
    return next();
  });
  return () => {
    restore();
    held.resolve();
  };
}
