import { API_VERSION, MIN_API_VERSION, type PublicConfig } from '@parley/contract';
import { AVATAR_TEMPLATE } from '../avatars/avatar.routes.ts';
import type { Config } from '../config.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App, Context } from '../context.ts';
import { canUsersInvite } from '../invitations/invitation.service.ts';
import { MEDIA_PATH, mediaPrefix } from '../media/media-url.ts';
import { loadInstanceId } from './instance-id.ts';
import { VERSION } from '../version.ts';

/** Registers `GET /config`, the settings that clients need before login. */
export async function registerPublicConfigRoutes(
  app: App,
  { config, storage, maintenance }: Pick<Context, 'config' | 'storage' | 'maintenance'>,
): Promise<void> {
  const instance = await loadInstanceId(storage, await maintenance.id());
  const response = createPublicConfig(config, instance);
  registerEndpoint(app, 'getConfig', async () => response);
}

function createPublicConfig(config: Config, instance: string): PublicConfig {
  const prefix = mediaPrefix(config);
  return {
    product: 'parley',
    version: VERSION,
    apiVersion: API_VERSION,
    minApiVersion: MIN_API_VERSION,
    mediaPrefix: prefix,
    mediaBase: config.mediaUrl === undefined ? MEDIA_PATH : prefix,
    avatarUrl: config.avatarUrl ?? AVATAR_TEMPLATE,
    ...(config.emojiUrl !== undefined && { emojiUrl: config.emojiUrl }),
    registration: config.registration,
    userInvitations: canUsersInvite(config),
    operator: config.operator,
    instance,
  };
}
