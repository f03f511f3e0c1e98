import type { Done } from '@parley/contract';
import type { App, Context } from '../context.ts';
import { serve } from '../http/serve.ts';
import { signedIn } from '../plugins/session.ts';
import * as service from './message.service.ts';

/** `/messages`: send, edit, delete. */
export function registerMessageRoutes(app: App, ctx: Context): void {
  serve(app, 'sendMessage', async (request, reply) => {
    const { userId } = signedIn(request);
    const { message, isNew } = await service.sendMessage(ctx, userId, request.body);
    return reply.status(isNew ? 201 : 200).send(message);
  });

  serve(app, 'editMessage', async (request) =>
    service.editMessage(ctx, signedIn(request).userId, request.body),
  );

  serve(app, 'deleteMessage', async (request): Promise<Done> => {
    await service.deleteMessage(ctx, signedIn(request).userId, request.body);
    return { ok: true };
  });
}
