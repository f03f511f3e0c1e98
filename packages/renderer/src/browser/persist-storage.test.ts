import { afterEach, expect, test, vi } from 'vitest';
import { persistStorage } from './persist-storage.ts';

const persist = vi.fn<() => Promise<boolean>>();

afterEach(() => {
  persist.mockReset();
  vi.unstubAllGlobals();
});

test.each(['Google Inc.', 'Apple Computer, Inc.'])(
  'asks a browser of %s, which does not prompt the user',
  async (vendor) => {
    persist.mockRejectedValue(new TypeError('no storage'));
    vi.stubGlobal('navigator', { vendor, storage: { persist } });
    persistStorage();
    expect(persist).toHaveBeenCalledOnce();
  },
);

test('does not ask Firefox, which would prompt the user', () => {
  vi.stubGlobal('navigator', { vendor: '', storage: { persist } });
  persistStorage();
  expect(persist).not.toHaveBeenCalled();
});

test('does nothing in a page without HTTPS', () => {
  vi.stubGlobal('navigator', { vendor: 'Google Inc.' });
  expect(() => persistStorage()).not.toThrow();
});
