import { endpoints } from '@parley/contract';
import { clientNetwork } from '../http/client-address.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App } from '../context.ts';
import { sendWebFile } from '../web-client/send-web-file.ts';
import { AVATAR_VERSION, requestAvatar } from './avatar.service.ts';

/** Where a client finds the avatar of a name, and never needs to ask again. */
export const AVATAR_TEMPLATE = `${endpoints.getAvatar.path.replace(':name', '{name}')}?v=${AVATAR_VERSION}`;

/** A week, without a version: a robot changes only when another version draws it differently. */
const WEEK = 'public, max-age=604800, stale-while-revalidate=604800';

/** `GET /avatars/:name`: the robot of a name. Says nothing about whether anybody has that name. */
export function registerAvatarRoutes(app: App): void {
  registerEndpoint(app, 'getAvatar', async (request, reply) => {
    // Opened on its own, an SVG is a document.
    void reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    const isVersioned = request.query.v === AVATAR_VERSION;
    const avatar = await requestAvatar(request.params.name, clientNetwork(request));
    return sendWebFile(request, reply, avatar, isVersioned ? undefined : WEEK);
  });
}
