import type { App } from '../context.ts';
import { sendWebFile } from '../web-client/send-web-file.ts';
import type { WebFiles } from '../web-client/web-pack.ts';
import { DOCS_PATH, readDocsFiles } from './docs-files.ts';

/** The page shows styles and pictures of its own and asks this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** `GET /docs`: the interface's description, to read and to try, and as OpenAPI for programs. */
export function registerDocsRoutes(app: App, packed: WebFiles): void {
  // The page is large and seldom asked for: without a build it is read when it is.
  let files = packed.has(DOCS_PATH) ? packed : undefined;
  let document: string | undefined;

  const options = { config: { access: 'public' }, schema: { hide: true } } as const;
  app.get('/docs/openapi.json', options, (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
  for (const path of ['/docs', '/docs/:file']) {
    app.get(path, options, (request, reply) => {
      files ??= readDocsFiles();
      const file = files.get(new URL(request.url, 'http://localhost').pathname);
      if (file === undefined) return reply.callNotFound();
      void reply.header('content-security-policy', POLICY);
      return sendWebFile(request, reply, file);
    });
  }
}
