import type { DeliveredBody, Done } from '@parley/contract';
import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';

/** Registers the endpoint by which devices report the messages that they have received. */
export function registerReceiptRoutes(app: App, ctx: Context): void {
  const deliveries = createDeliveryRecorder(ctx);
  registerEndpoint(
    app,
    'reportDelivered',
    async (request): Promise<Done> => {
      await deliveries.record(getCurrentSession(request).userId, request.body.rooms);
      return { ok: true };
    },
    { config: { cost: deliveryCost } },
  );
}

/** Returns the cost of a report for the rate limit. A report after a gap names many chatrooms. */
function deliveryCost({ rooms }: DeliveredBody): number {
  return 1 + Math.floor(Object.keys(rooms).length / 10);
}
