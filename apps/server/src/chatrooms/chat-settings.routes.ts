import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { toChatState } from '../messages/message.wire.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { changeChatSettings } from './chat-settings.service.ts';

/** Registers the endpoint by which users pin, archive and mute chats and mark them as unread. */
export function registerChatSettingsRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'changeChatSettings', async (request) => {
    const { userId } = getCurrentSession(request);
    const chat = await changeChatSettings(ctx, userId, request.params.id, request.body);
    return { chat: toChatState(ctx.config, chat) };
  });
}
