import { expect } from 'vitest';

/** Waits until the app shows a path, such as `/chatarea`. */
export async function expectPath(path: string): Promise<void> {
  await expect.poll(() => location.pathname).toBe(path);
}
