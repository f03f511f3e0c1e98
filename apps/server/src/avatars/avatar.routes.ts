import { endpoints } from '@parley/contract';
import { clientNetwork } from '../http/client-address.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App } from '../context.ts';
import { sendWebFile } from '../web-client/send-web-file.ts';
import { AVATAR_VERSION, requestAvatar } from './avatar.service.ts';

/** URL template of avatars. Its version allows browsers to cache them forever. */
export const AVATAR_TEMPLATE = `${endpoints.getAvatar.path.replace(':name', '{name}')}?v=${AVATAR_VERSION}`;

/** A week, for URLs without a version: a robot changes only with a new version of the drawing. */
const UNVERSIONED_CACHE_CONTROL = 'public, max-age=604800, stale-while-revalidate=604800';

/**
 * Registers `GET /avatars/:name`, the robot of a name. It does not reveal whether the name is taken.
 */
export function registerAvatarRoutes(app: App): void {
  registerEndpoint(app, 'getAvatar', async (request, reply) => {
    // Browsers treat an SVG that is opened directly as a document, which could run scripts.
    void reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    const isVersioned = request.query.v === AVATAR_VERSION;
    const avatar = await requestAvatar(request.params.name, clientNetwork(request));
    return sendWebFile(request, reply, avatar, isVersioned ? undefined : UNVERSIONED_CACHE_CONTROL);
  });
}
