import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App, Context } from '../context.ts';
import { BUILD, VERSION } from '../version.ts';
import { createReadinessCheck } from './readiness.ts';

/** Registers `GET /healthz` and `GET /readyz` for supervisors and load balancers. */
export function registerHealthRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'getHealth', async () => ({ status: 'ok' as const }));

  const checkReadiness = createReadinessCheck(ctx);
  registerEndpoint(app, 'getReadiness', async (_request, reply) => {
    ctx.drain.recordCheck();
    const readiness = await checkReadiness();
    // A failing media store does not count: all servers share it, and messages do not need it.
    const canServe = readiness.database === 'ok' && readiness.disk === 'ok';
    const isReady = canServe && !ctx.drain.hasStarted;
    const status = isReady ? 'ok' : 'unavailable';
    return reply
      .status(isReady ? 200 : 503)
      .send({ status, version: VERSION, ...BUILD, ...readiness });
  });
}
