import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { parseBody, parseText } from './message-body.ts';
import * as service from './message.service.ts';
import { toMessage } from './message.wire.ts';
import { reactToMessage } from './reaction.service.ts';

/** Registers `/messages`: the endpoints to send, edit and delete messages and to react to them. */
export function registerMessageRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'sendMessage', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const body = parseBody(ctx.config, request.body);
    const sent = await service.sendMessage(ctx, userId, request.body, body);
    const message = toMessage(ctx.config, sent.message);
    const { isSentAsRequest } = sent;
    return reply
      .status(sent.isNew ? 201 : 200)
      .send(isSentAsRequest ? { ...message, isSentAsRequest } : message);
  });

  registerEndpoint(app, 'editMessage', async (request) => {
    const { userId } = getCurrentSession(request);
    const { messageId, content } = request.body;
    const edit = { messageId, content: parseText(content) };
    return toMessage(ctx.config, await service.editMessage(ctx, userId, edit));
  });

  registerEndpoint(app, 'deleteMessage', (request) =>
    service.deleteMessage(ctx, getCurrentSession(request).userId, request.body),
  );

  registerEndpoint(app, 'reactToMessage', async (request) => {
    const { userId } = getCurrentSession(request);
    return toMessage(ctx.config, await reactToMessage(ctx, userId, request.body));
  });
}
