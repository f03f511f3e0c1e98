import type { Host } from './host.ts';

/** Reloads the page, as the newest version where the page loads new versions itself. */
export function reloadPage({ updates }: Pick<Host, 'updates'>): void {
  if (updates) void updates.reload();
  else location.reload();
}
