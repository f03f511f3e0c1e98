import { Type } from 'typebox';
import type { App, Context } from '../context.ts';
import { createReadinessCheck } from './readiness.ts';

const Alive = Type.Object({ status: Type.Literal('ok') });

const Ready = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable')]),
  database: Type.Union([Type.Literal('ok'), Type.Literal('failed')]),
  disk: Type.Union([Type.Literal('ok'), Type.Literal('full')]),
});

/** `GET /healthz` and `GET /readyz`, for whatever watches over the server. */
export function registerHealthRoutes(app: App, ctx: Context): void {
  app.get(
    '/healthz',
    {
      schema: {
        tags: ['server'],
        summary: 'Whether the process is alive',
        response: { 200: Alive },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  const readiness = createReadinessCheck(ctx);
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['server'],
        summary: 'Whether the server can do its work: the database is writable, the disk has room',
        response: { 200: Ready, 503: Ready },
      },
    },
    async (_request, reply) => {
      const found = await readiness();
      const isReady = found.database === 'ok' && found.disk === 'ok';
      const status = isReady ? ('ok' as const) : ('unavailable' as const);
      return reply.status(isReady ? 200 : 503).send({ status, ...found });
    },
  );
}
