import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { registerEndpoint } from '../http/register-endpoint.ts';
import type { App } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { acceptedEncodings } from '../http/accept-encoding.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import { withoutBody } from '../http/without-body.ts';
import type { EmojiImages } from './emoji-images.ts';

/** `Cache-Control` for one month. The sets rarely change, and only with a new version of Parley. */
const CACHE_CONTROL = 'public, max-age=2592000, stale-while-revalidate=2592000';

/** Registers `GET /emoji/:set/:code.svg`, the image of an emoji by its hexadecimal code points. */
export function registerEmojiRoutes(app: App, images: EmojiImages): void {
  registerEndpoint(app, 'getEmoji', async (request, reply) => {
    const { set, file } = request.params;
    const gzip = images(set, file.slice(0, -'.svg'.length));
    if (gzip === undefined) throw new AppError('not_found');
    const isCompressed = acceptedEncodings(request.headers['accept-encoding']).includes('gzip');
    const hash = createHash('sha256').update(gzip).digest('base64url').slice(0, 22);
    const etag = isCompressed ? `"${hash}-gzip"` : `"${hash}"`;
    void reply.headers({
      etag,
      vary: 'accept-encoding',
      'cache-control': CACHE_CONTROL,
      // Browsers treat an SVG that is opened directly as a document, which could run scripts.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    if (matchesEntityTag(request.headers['if-none-match'], etag))
      return withoutBody(reply).status(304).send(null);
    void reply.type('image/svg+xml; charset=utf-8');
    if (!isCompressed) return reply.send(gunzipSync(gzip));
    return reply.header('content-encoding', 'gzip').send(gzip);
  });
}
