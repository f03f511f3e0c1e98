import { afterEach, expect, test, vi } from 'vitest';
import { persistStorage } from './persist-storage.ts';

const persist = vi.fn<() => Promise<boolean>>();

afterEach(() => {
  persist.mockReset();
  vi.unstubAllGlobals();
});

test.each(['Google Inc.', 'Apple Computer, Inc.'])(
  'asks a browser by %s for persistent storage, as it does not prompt the user',
  async (vendor) => {
    persist.mockRejectedValue(new TypeError('no storage'));
    vi.stubGlobal('navigator', { vendor, storage: { persist } });
    persistStorage();
    expect(persist).toHaveBeenCalledOnce();
  },
);

test('does not ask Firefox for persistent storage, as it would prompt the user', () => {
  vi.stubGlobal('navigator', { vendor: '', storage: { persist } });
  persistStorage();
  expect(persist).not.toHaveBeenCalled();
});

test('does not fail on a page without HTTPS', () => {
  vi.stubGlobal('navigator', { vendor: 'Google Inc.' });
  expect(() => persistStorage()).not.toThrow();
});
