import { errorAnswers } from '@parley/contract/schemas';
import { Type } from 'typebox';
import type { App } from '../context.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import { withoutBody } from '../http/without-body.ts';
import { drawAvatar } from './avatar.service.ts';

/** Where a client finds the avatar of a name. */
export const AVATAR_TEMPLATE = '/api/avatars/{name}';

/** No username is longer; a wish for another name costs no more than one of these. */
const NAME_MAX = 64;

/** A week: a robot changes only when another version draws it differently. */
const CACHE = 'public, max-age=604800, stale-while-revalidate=604800';

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
      const { svg, etag } = drawAvatar(request.params.name);
      void reply.headers({
        etag,
        'cache-control': CACHE,
        // Opened on its own, an SVG is a document.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
      });
      if (matchesEntityTag(request.headers['if-none-match'], etag))
        return withoutBody(reply).status(304).send(null);
      return reply.type('image/svg+xml; charset=utf-8').send(svg);
    },
  );
}
