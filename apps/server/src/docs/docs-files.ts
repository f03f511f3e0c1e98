import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { endpoints } from '@parley/contract';
import { contentType } from '../web-client/content-type.ts';
import { plainWebFile, type WebFile, type WebFiles } from '../web-client/web-pack.ts';

/** URL path of the documentation. */
export const DOCS_PATH = endpoints.getDocs.path;

/** Lists the files of the documentation: their URL paths and their paths in the repository. */
function listSources(): [path: string, file: string][] {
  const page = join(import.meta.dirname, 'page');
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return [
    [DOCS_PATH, join(page, 'index.html')],
    [`${DOCS_PATH}/start.js`, join(page, 'start.js')],
    [`${DOCS_PATH}/swagger-ui.css`, join(swagger, 'swagger-ui.css')],
    [`${DOCS_PATH}/swagger-ui-bundle.js`, join(swagger, 'swagger-ui-bundle.js')],
    [`${DOCS_PATH}/live-connection.md`, join(import.meta.dirname, '../realtime/README.md')],
  ];
}

/**
 * Reads the files of the documentation, uncompressed, for the build or for a server that runs
 * without one.
 */
export function readDocsFiles(): WebFiles {
  return new Map(
    listSources().map(([path, file]): [string, WebFile] => {
      const identity = readFileSync(file);
      // Browsers show plain text; they would download Markdown.
      const type = contentType(file.replace(/\.md$/, '.txt')) ?? 'application/octet-stream';
      return [path, plainWebFile(type, identity)];
    }),
  );
}
