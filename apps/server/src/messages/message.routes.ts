import type { Done } from '@parley/contract';
import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import * as service from './message.service.ts';
import { reactToMessage } from './reaction.service.ts';

/** Registers `/messages`: the endpoints to send, edit and delete messages and to react to them. */
export function registerMessageRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'sendMessage', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const { message, isNew } = await service.sendMessage(ctx, userId, request.body);
    return reply.status(isNew ? 201 : 200).send(message);
  });

  registerEndpoint(app, 'editMessage', async (request) =>
    service.editMessage(ctx, getCurrentSession(request).userId, request.body),
  );

  registerEndpoint(app, 'deleteMessage', async (request): Promise<Done> => {
    await service.deleteMessage(ctx, getCurrentSession(request).userId, request.body);
    return { ok: true };
  });

  registerEndpoint(app, 'reactToMessage', async (request) =>
    reactToMessage(ctx, getCurrentSession(request).userId, request.body),
  );
}
