import { isServerPath, SHARE_PATH, shareErrorPath } from '@parley/contract';
import type { FastifyRequest } from 'fastify';
import { finished } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { App, Context } from '../context.ts';
import { sendError } from '../plugins/error-handler.ts';
import { createClientHeaders } from '../plugins/security-headers.ts';
import { sendWebFile } from './send-web-file.ts';
import { plainWebFile, type WebFiles } from './web-pack.ts';

const SERVICE_WORKER = '/service-worker.js';

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
  registerMissedShares(app);
}

/**
 * Leads users who share content from another app to an explanation if their browser has no service worker yet, or no
 * longer: it would have received the content, which the server only discards.
 */
function registerMissedShares(app: App): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    // Browsers read a redirect only after they have sent everything, and proxies reuse the connection, so content of
    // any length is read to its end. That costs little more than receiving it, and the time limit of requests ends it.
    scope.addContentTypeParser('*', (_request, payload, done) => {
      // If the client closes the connection, the response goes nowhere.
      finished(payload.resume(), () => done(null));
    });
    scope.post(
      SHARE_PATH,
      { config: { endpoint: null }, schema: { hide: true } },
      async (_request, reply) => reply.redirect(shareErrorPath('missed'), 303),
    );
  });
}

function isNavigation(request: FastifyRequest, path: string): boolean {
  if (isServerPath(path) || ASSETS.test(path)) return false;
  return (request.headers.accept ?? '').includes('text/html');
}

/**
 * Makes the service worker's script depend on the headers of the page, which change if the operator
 * moves the media to another host, for example. Browsers fetch the cached page again, with its new
 * headers, only if the script changes.
 */
function versionServiceWorker(
  files: WebFiles,
  headers: Readonly<Record<string, string>>,
): WebFiles {
  const worker = files.get(SERVICE_WORKER);
  if (worker === undefined) return files;
  const { hash } = plainWebFile('', Buffer.from(JSON.stringify(headers)));
  const script = Buffer.concat([worker.identity, Buffer.from(`\n// Page headers: ${hash}\n`)]);
  const versioned = { ...plainWebFile(worker.type, script), gzip: gzipSync(script) };
  return new Map([...files, [SERVICE_WORKER, versioned]]);
}
