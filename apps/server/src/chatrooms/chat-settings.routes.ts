import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { changeChatSettings } from './chat-settings.service.ts';

/** Registers the endpoint by which users pin, archive and mute chats and mark them as unread. */
export function registerChatSettingsRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'changeChatSettings', async (request) =>
    changeChatSettings(ctx, getCurrentSession(request).userId, request.params.id, request.body),
  );
}
