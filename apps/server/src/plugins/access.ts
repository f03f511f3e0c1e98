import { endpoints } from '@parley/contract';
import type { App } from '../context.ts';
import { getCurrentSession } from './current-session.ts';

/**
 * Refuses requests without a session to every endpoint for users. Register it before the routes: one
 * that is not in the endpoint table throws, so that none can be open by mistake.
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
