// A setup file: ends what a test file has replaced, as the next one shares its process.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
