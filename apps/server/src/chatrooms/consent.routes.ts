import type { ChangedChat } from '@parley/contract';
import type { App, Context } from '../context.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { toChatState } from '../messages/message.wire.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { deleteChat } from './chat-deletion.service.ts';
import {
  acceptChat,
  blockPartner,
  declineRequest,
  listBlocked,
  unblockPartner,
} from './consent.service.ts';

/** The endpoints by which the current user accepts, declines, blocks or unblocks the partner. */
const CHANGES = [
  ['acceptChat', acceptChat],
  ['declineRequest', declineRequest],
  ['blockPartner', blockPartner],
  ['unblockPartner', unblockPartner],
] as const;

/** Registers the endpoints of message requests, blocks and deleted chats. */
export function registerConsentRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'listBlocked', async (request) =>
    listBlocked(ctx, getCurrentSession(request).userId),
  );
  registerEndpoint(app, 'deleteChat', async (request): Promise<ChangedChat> => {
    const { userId } = getCurrentSession(request);
    const chat = await deleteChat(ctx, userId, request.params.id, request.body);
    return { chat: toChatState(ctx.config, chat) };
  });
  app.register(async (scope: App) => {
    registerJsonParser(scope, { acceptsEmpty: true });
    for (const [name, change] of CHANGES) {
      registerEndpoint(scope, name, async (request): Promise<ChangedChat> => {
        const chat = await change(ctx, getCurrentSession(request).userId, request.params.id);
        return { chat: toChatState(ctx.config, chat) };
      });
    }
  });
}
