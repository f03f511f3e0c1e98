import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { prepareFile } from '../http/send-file.ts';
import { isMediaFile } from '../media-store/media-file-name.ts';
import { toStoredFile } from '../media-store/open-stored-file.ts';
import { withoutBody } from '../http/without-body.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { findReadableMedia } from './media.service.ts';

/** Policy with which an SVG that is opened as a document can only draw. */
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** Registers `GET /media/:file`, which sends an upload to users who may see it. */
export function registerMediaRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'getMedia', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const { file: name } = request.params;
    const media = isMediaFile(name) ? await findReadableMedia(ctx, name, userId) : undefined;
    if (media === undefined) throw new AppError('media_not_found');
    const { file, mime, size, is_blocked: isBlocked } = media;
    // Checked before the entity tag, so that clients with an older copy stop showing it.
    if (isBlocked === 1) throw new AppError('media_blocked');

    // A file name is never reused for other content.
    const etag = `"${file}"`;
    void reply.headers({
      etag,
      // The next user of the same browser must not find it there. The client keeps what it shows in memory.
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
      'content-security-policy': SANDBOX,
      'content-disposition': `${mime === 'image/svg+xml' ? 'attachment' : 'inline'}; filename="${file}"`,
    });
    const { 'if-none-match': ifNoneMatch } = request.headers;
    if (matchesEntityTag(ifNoneMatch, etag)) return withoutBody(reply).status(304).send(null);

    const handle = await ctx.media.open(file, { size });
    // The file was just deleted.
    if (handle === undefined) throw new AppError('media_not_found');
    // The file's own size: another one may have replaced it since its row was read.
    const opened = await toStoredFile(handle);
    return reply.send(await prepareFile(request, reply, opened, { etag, mime }));
  });
}
