import { gzipSync } from 'node:zlib';
import { plainWebFile, type WebFiles } from './web-pack.ts';

const SERVICE_WORKER = '/service-worker.js';

/**
 * Makes the service worker another script where the page has other headers, as after the operator changed
 * where media are. Browsers fetch the page that the worker keeps again, with its headers, only if the
 * script changed.
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
