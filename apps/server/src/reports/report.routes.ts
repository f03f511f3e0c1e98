import type { App, Context } from '../context.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import { createFairQueue } from '../scheduling/fair-queue.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { createReport } from './report.service.ts';

/** Number of reports that are created at the same time, because each holds its files in memory. */
const CONCURRENCY = 2;
const MAX_WAITING = 100;

/** Registers `/reports`: the endpoint to report a user to the operator. */
export function registerReportRoutes(app: App, ctx: Context): void {
  const queue = createFairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    createFullError: createOverloadError,
  });
  registerEndpoint(app, 'createReport', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    await queue.run([userId], () => createReport(ctx, userId, request.body));
    return reply.status(201).send({ ok: true as const });
  });
}
