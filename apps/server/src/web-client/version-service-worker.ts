import { gzipSync } from 'node:zlib';
import { plainWebFile, type WebFiles } from './web-pack.ts';

const SERVICE_WORKER = '/service-worker.js';

/**
 * Makes the service worker's script depend on the headers of the page, which change if the operator
 * moves the media to another host, for example. Browsers fetch the cached page again, with its new
 * headers, only if the script changes.
 */
export function versionServiceWorker(
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
