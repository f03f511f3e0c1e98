import { endpoints } from '@parley/contract';
import type { App } from '../context.ts';
import { getCurrentSession } from './current-session.ts';

/**
 * Rejects requests without a session to endpoints with the access `user`. Register it before the
 * routes. It throws for routes that are not in the endpoint table, so that none is public by
 * mistake.
 */
export function registerAccess(app: App): void {
  app.addHook('onRoute', (route) => {
    const name = route.config?.endpoint;
    if (name === undefined) throw new Error(`${route.url} is not in the endpoint table`);
    if (name === null || endpoints[name].access !== 'user') return;
    route.onRequest = [
      async (request) => void getCurrentSession(request),
      ...[route.onRequest ?? []].flat(),
    ];
  });
}
