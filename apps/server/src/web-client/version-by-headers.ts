import { gzipSync } from 'node:zlib';
import { plainWebFile, type WebFiles } from './web-pack.ts';

const PAGE = '/index.html';
const SERVICE_WORKER = '/service-worker.js';

/**
 * Makes the page and its service worker other files where their headers are others, as after the operator
 * changed where media are. A browser that has the page keeps its policy, even if it revalidates the page,
 * and a service worker fetches the page again only if the worker's own script changed.
 */
export function versionByHeaders(
  files: WebFiles,
  headers: Readonly<Record<string, string>>,
): WebFiles {
  const versioned = new Map(files);
  const { hash } = plainWebFile('', Buffer.from(JSON.stringify(headers)));
  const page = files.get(PAGE);
  if (page) versioned.set(PAGE, { ...page, hash: `${page.hash}-${hash}` });
  const worker = files.get(SERVICE_WORKER);
  if (worker) {
    const script = Buffer.concat([worker.identity, Buffer.from(`\n// Page headers: ${hash}\n`)]);
    versioned.set(SERVICE_WORKER, {
      ...plainWebFile(worker.type, script),
      gzip: gzipSync(script),
    });
  }
  return versioned;
}
