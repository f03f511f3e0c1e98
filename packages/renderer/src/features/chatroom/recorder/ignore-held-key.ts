import type { KeyboardEvent } from 'react';

/** Keeps a held Enter key from pressing a button that has taken the focus from the pressed one. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}
