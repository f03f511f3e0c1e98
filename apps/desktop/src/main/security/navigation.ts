import { endpointPath, isServerPath } from '@parley/contract';

/** How to open an address outside the page. */
export type OpenPlan =
  /** In the system's browser or mail program. */
  | { kind: 'external'; url: string }
  /** An upload, which only this app's session may read. */
  | { kind: 'download'; url: string }
  | { kind: 'deny' };

const WEB = new Set(['https:', 'http:']);
/** Path below which a server has what people uploaded. */
const MEDIA_PATH = endpointPath('getMedia', { file: '' });
const EXTERNAL = new Set([...WEB, 'mailto:']);

/** Whether the page may navigate to an address: only to its own screens. */
export function isOwnScreen(url: string, pageOrigin: string): boolean {
  const target = URL.parse(url);
  // A blob: URL has the page's origin but may contain any document.
  if (target === null || !WEB.has(target.protocol)) return false;
  return target.origin === pageOrigin && !isServerPath(target.pathname);
}

/** Decides how to open a link, a new window or a navigation to another site. */
export function planOpen(url: string, pageOrigin: string): OpenPlan {
  const target = URL.parse(url);
  if (target === null || !EXTERNAL.has(target.protocol)) return { kind: 'deny' };
  if (target.username !== '' || target.password !== '') return { kind: 'deny' };
  if (target.origin === pageOrigin && target.pathname.startsWith(MEDIA_PATH)) {
    return { kind: 'download', url: target.href };
  }
  return { kind: 'external', url: target.href };
}
