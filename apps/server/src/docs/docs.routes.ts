import { gzipSync } from 'node:zlib';
import type { App } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { sendWebFile } from '../web-client/send-web-file.ts';
import { plainWebFile, type WebFile, type WebFiles } from '../web-client/web-pack.ts';
import { DOCS_PATH, readDocsFiles } from './docs-files.ts';

/** Policy that allows Swagger UI its own inline styles and images, and requests to this server. */
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

/** Registers the API documentation: Swagger UI and the OpenAPI document. */
export function registerDocsRoutes(app: App, packed: WebFiles): void {
  // The page is large and rarely requested, so without a build it is read on the first request.
  let files = packed.has(DOCS_PATH) ? packed : undefined;
  // Compressed once, because that takes milliseconds and the document never changes.
  let document: WebFile | undefined;

  registerEndpoint(app, 'getOpenApi', async (request, reply) => {
    document ??= openApiFile(app);
    return sendWebFile(request, reply, document);
  });
  for (const name of ['getDocs', 'getDocsFile'] as const) {
    registerEndpoint(app, name, async (request, reply) => {
      files ??= readDocsFiles();
      const file = files.get(new URL(request.url, 'http://localhost').pathname);
      if (file === undefined) throw new AppError('not_found');
      void reply.header('content-security-policy', POLICY);
      return sendWebFile(request, reply, file);
    });
  }
}

function openApiFile(app: App): WebFile {
  const identity = Buffer.from(JSON.stringify(app.swagger()));
  const file = plainWebFile('application/json; charset=utf-8', identity);
  return { ...file, gzip: gzipSync(identity) };
}
