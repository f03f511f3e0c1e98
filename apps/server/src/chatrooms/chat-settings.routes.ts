import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { toChatState } from '../messages/message.wire.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { changeChatSettings, orderPinnedChats } from './chat-settings.service.ts';

/** Registers the endpoints by which users pin, archive and mute chats and mark them as unread. */
export function registerChatSettingsRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'changeChatSettings', async (request) => {
    const { userId } = getCurrentSession(request);
    const chat = await changeChatSettings(ctx, userId, request.params.id, request.body);
    return { chat: toChatState(ctx.config, chat) };
  });

  registerEndpoint(app, 'orderPinnedChats', async (request) => {
    const { userId } = getCurrentSession(request);
    const chats = await orderPinnedChats(ctx, userId, request.body.chats);
    return { chats: chats.map((chat) => toChatState(ctx.config, chat)) };
  });
}
