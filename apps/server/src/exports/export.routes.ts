import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { prepareFile } from '../http/send-file.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { discardExport, listExports, openExportFile, requestExport } from './export.service.ts';

/** Registers `/exports`: the endpoints for archives with the data of the current user. */
export function registerExportRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'listExports', async (request) => ({
    exports: await listExports(ctx, getCurrentSession(request).userId),
  }));

  registerEndpoint(app, 'createExport', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    return reply.status(202).send(await requestExport(ctx, userId, request.body));
  });

  registerEndpoint(app, 'deleteExport', async (request) => {
    await discardExport(ctx, getCurrentSession(request).userId, request.params.id);
    return { ok: true as const };
  });

  registerEndpoint(app, 'getExportFile', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const { opened, file, name } = await openExportFile(ctx, userId, request.params.id);
    const etag = `"${file}"`;
    void reply.headers({
      etag,
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    const payload = await prepareFile(request, reply, opened, { etag, mime: 'application/zip' });
    return reply.send(payload);
  });
}

/** Returns a file name for clients that do not know `filename*`. */
function toAscii(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '_');
}
