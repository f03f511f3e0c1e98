import { expect } from 'vitest';

/** Waits until what was opened above the screen, or closed, has changed the entry in the history. */
export async function waitForLayers(count: number): Promise<void> {
  await expect
    .poll(() => (history.state as { usr?: { layers?: number } }).usr?.layers ?? 0)
    .toBe(count);
}
