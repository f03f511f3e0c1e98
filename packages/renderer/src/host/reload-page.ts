import type { Host } from './host.ts';

/** Reloads the page, with the newest version if the page loads updates itself. */
export function reloadPage({ updates }: Pick<Host, 'updates'>): void {
  if (updates) void updates.reload();
  else location.reload();
}
