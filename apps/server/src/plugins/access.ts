import type { App } from '../context.ts';
import { signedIn } from './session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `public`: needs no session. Every other route below /api does. */
    access?: 'public';
  }
}

/** Refuses requests without a session, unless their route says that it is public. */
export function registerAccess(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.access !== 'public') signedIn(request);
  });
}
