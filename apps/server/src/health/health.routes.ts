import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App, Context } from '../context.ts';
import { createReadinessCheck } from './readiness.ts';

/** `GET /healthz` and `GET /readyz`, for whatever watches over the server. */
export function registerHealthRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'getHealth', async () => ({ status: 'ok' as const }));

  const readiness = createReadinessCheck(ctx);
  registerEndpoint(app, 'getReadiness', async (_request, reply) => {
    const found = await readiness();
    const isReady = found.database === 'ok' && found.disk === 'ok';
    const status = isReady ? 'ok' : 'unavailable';
    return reply.status(isReady ? 200 : 503).send({ status, ...found });
  });
}
