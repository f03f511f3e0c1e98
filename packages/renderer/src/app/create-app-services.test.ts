import { createMemoryStorage, openPendingErasure } from '@parley/client';
import type { CurrentUser } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Host } from '../host/host.ts';
import { createAppServices } from './create-app-services.ts';
import { addRecentEmoji } from './recent-emoji.ts';
import { saveSignedInUsername } from './signed-in-username.ts';

vi.mock(
  import('../browser/offline-data.ts'),
  () => ({ eraseOfflineData: async () => undefined }) as never,
);
// The real settings store would set the theme of the document, which is missing here.
vi.mock(import('./device-settings.ts'), () => ({ createSettingsStore: () => ({}) }) as never);

const host = {
  serverOrigin: 'http://localhost',
  setBadge: () => undefined,
} as Partial<Host> as Host;
const user = { username: 'Ada' } as CurrentUser;

const clearCache = vi.fn<typeof fetch>(async () => Response.json({ ok: true }));

beforeEach(() => {
  vi.stubGlobal('localStorage', createMemoryStorage());
  vi.stubGlobal('window', { addEventListener: () => undefined });
  vi.stubGlobal('fetch', clearCache);
  clearCache.mockClear();
});

test.each(['logout', 'revoked', 'password-changed', 'account-deleted'] as const)(
  'records that the data of a session that ended with %s must be erased, and clears the cache of the browser',
  (reason) => {
    const { session } = createAppServices(host);
    session.getState().begin(user);
    session.getState().end(reason);
    expect(openPendingErasure(localStorage).read()).toEqual({ username: 'Ada', reason });
    expect(clearCache).toHaveBeenCalledExactlyOnceWith(
      'http://localhost/api/users/clear-cache',
      expect.objectContaining({ method: 'POST', keepalive: true }),
    );
  },
);

test('neither erases the data of an expired session nor clears the cache', () => {
  const { session } = createAppServices(host);
  session.getState().begin(user);
  session.getState().end('expired');
  expect(openPendingErasure(localStorage).read()).toBeUndefined();
  expect(clearCache).not.toHaveBeenCalled();
});

test("removes a user's recent emoji if the session was ended while the browser was closed", async () => {
  saveSignedInUsername('Ada');
  addRecentEmoji('1f680', '1f680');
  const body = { code: 'unauthenticated', errorMessage: 'no', sessionEnded: 'revoked' };
  vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 }));
  const { api } = createAppServices(host);
  await expect(api.call('getCurrentUser')).rejects.toMatchObject({ code: 'unauthenticated' });
  await vi.waitFor(() => expect(localStorage.getItem('epr_suggested')).toBeNull());
});

test.each([
  ['revoked', false],
  ['expired', true],
] as const)(
  'removes the notifications and the badge of a session that ended with %s while the browser was closed',
  async (sessionEnded, keepsReplies) => {
    saveSignedInUsername('Ada');
    const body = { code: 'unauthenticated', errorMessage: 'no', sessionEnded };
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 401 }));
    const withdrawAllNotifications = vi.fn<() => void>();
    const setBadge = vi.fn<(count: number) => void>();
    const { api } = createAppServices({ ...host, withdrawAllNotifications, setBadge });
    await expect(api.call('getCurrentUser')).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(withdrawAllNotifications).toHaveBeenCalledExactlyOnceWith({ keepsReplies });
    expect(setBadge).toHaveBeenCalledExactlyOnceWith(0);
  },
);
