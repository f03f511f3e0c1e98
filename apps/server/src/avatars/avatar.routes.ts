import { errorAnswers } from '@parley/contract/schemas';
import { Type } from 'typebox';
import type { App } from '../context.ts';
import { sendWebFile } from '../web-client/send-web-file.ts';
import { AVATAR_VERSION, drawAvatar } from './avatar.service.ts';

/** Where a client finds the avatar of a name, and never needs to ask again. */
export const AVATAR_TEMPLATE = `/api/avatars/{name}?v=${AVATAR_VERSION}`;

/** No username is longer; a wish for another name costs no more than one of these. */
const NAME_MAX = 64;

/** A week, without a version: a robot changes only when another version draws it differently. */
const WEEK = 'public, max-age=604800, stale-while-revalidate=604800';

/** `GET /avatars/:name`: the robot of a name. Says nothing about whether anybody has that name. */
export function registerAvatarRoutes(app: App): void {
  app.get(
    '/avatars/:name',
    {
      config: { access: 'public' },
      schema: {
        tags: ['avatars'],
        summary: 'The robot that is drawn from a name',
        params: Type.Object({ name: Type.String({ minLength: 1, maxLength: NAME_MAX }) }),
        querystring: Type.Object({
          v: Type.Optional(Type.String({ description: 'As in `avatarUrl` of the configuration' })),
        }),
        response: {
          200: {
            description: 'A picture of 180 by 180',
            content: { 'image/svg+xml': { schema: Type.String() } },
          },
          304: Type.Null({ description: 'The picture has not changed' }),
          ...errorAnswers('invalid_request'),
        },
      },
    },
    async (request, reply) => {
      // Opened on its own, an SVG is a document.
      void reply.header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
      const isVersioned = request.query.v === AVATAR_VERSION;
      const avatar = drawAvatar(request.params.name);
      return sendWebFile(request, reply, avatar, isVersioned ? undefined : WEEK);
    },
  );
}
