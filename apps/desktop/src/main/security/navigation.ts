import { isForwarded } from '../origin/route-request.ts';

/** What happens to an address that a page wants to open elsewhere. */
export type OpenPlan =
  /** In the system's own browser or mail program. */
  | { kind: 'external'; url: string }
  /** Something that people uploaded: only this app holds the session that may read it. */
  | { kind: 'download'; url: string }
  | { kind: 'deny' };

const WEB = new Set(['https:', 'http:']);
const EXTERNAL = new Set([...WEB, 'mailto:']);

/** Whether the page may go there by itself: another screen of its own, nothing else. */
export function isOwnScreen(url: string, pageOrigin: string): boolean {
  const target = URL.parse(url);
  // A blob has the origin of whoever made it, and may be a document of any content.
  if (target === null || !WEB.has(target.protocol)) return false;
  return target.origin === pageOrigin && !isForwarded(target.pathname);
}

/** Decides about a link, a new window or a navigation away. Parsed, never compared as text. */
export function planOpen(url: string, pageOrigin: string): OpenPlan {
  const target = URL.parse(url);
  if (target === null || !EXTERNAL.has(target.protocol)) return { kind: 'deny' };
  if (target.username !== '' || target.password !== '') return { kind: 'deny' };
  if (target.origin === pageOrigin && target.pathname.startsWith('/media/')) {
    return { kind: 'download', url: target.href };
  }
  return { kind: 'external', url: target.href };
}
