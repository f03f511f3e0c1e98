import { findEndpoint, isLinkedScreen, isServerPath } from '@parley/contract';

/** The way to open an address outside the page. */
export type OpenPlan =
  /** In the system's browser or mail program. */
  | { kind: 'external'; url: string }
  /** As a download, for uploads and exports, which only the app's session may read. */
  | { kind: 'download'; url: string }
  /** In the page itself, for screens that need the user's session, which only the app may have. */
  | { kind: 'screen'; url: string }
  | { kind: 'deny' };

const WEB = new Set(['https:', 'http:']);
/** The endpoints of files. */
const FILES: ReadonlySet<string | undefined> = new Set(['getMedia', 'getExportFile']);
const EXTERNAL = new Set([...WEB, 'mailto:']);

/** Returns whether an address is one of the page's own screens, to which it may navigate. */
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
  if (target.origin === pageOrigin && FILES.has(findEndpoint('GET', target.pathname))) {
    return { kind: 'download', url: target.href };
  }
  if (target.origin === pageOrigin && isLinkedScreen(target.pathname)) {
    return { kind: 'screen', url: target.href };
  }
  return { kind: 'external', url: target.href };
}
