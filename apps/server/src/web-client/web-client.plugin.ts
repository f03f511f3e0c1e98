import { isServerPath } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { sendError } from '../plugins/error-handler.ts';
import { createClientHeaders } from '../plugins/security-headers.ts';
import { sendWebFile } from './send-web-file.ts';
import { versionServiceWorker } from './version-service-worker.ts';
import type { WebFiles } from './web-pack.ts';

/** Paths of built files, which are never screens of the client. */
const ASSETS = /^\/assets(?:\/|$)/;

/**
 * Serves the web client from memory. Navigating to a path without a file gets the client, which shows the
 * screen; other requests get 404. Without files, the server only has the API.
 */
export function registerWebClient(
  app: App,
  { config }: Pick<Context, 'config'>,
  packedFiles: WebFiles,
): void {
  app.setNotFoundHandler((request, reply) => sendError(request, reply, 'not_found'));

  const headers = createClientHeaders(config);
  const files = versionServiceWorker(packedFiles, headers);
  const index = files.get('/index.html');
  if (index === undefined) {
    app.log.info(
      'started without a web client, which is part of a build or served separately in development',
    );
    return;
  }
  app.get<{ Params: { '*': string } }>(
    '/*',
    { config: { endpoint: null }, schema: { hide: true } },
    (request, reply) => {
      const path = `/${request.params['*']}`;
      const file = files.get(path) ?? (path === '/' || isNavigation(request, path) ? index : null);
      if (file === null) return sendError(request, reply, 'not_found');
      // A worker applies the policy of its script's response.
      void reply.headers(headers);
      return sendWebFile(request, reply, file);
    },
  );
}

function isNavigation(request: FastifyRequest, path: string): boolean {
  if (isServerPath(path) || ASSETS.test(path)) return false;
  return (request.headers.accept ?? '').includes('text/html');
}
