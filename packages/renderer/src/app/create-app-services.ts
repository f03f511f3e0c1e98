import type { PublicConfig, SessionEndReason } from '@parley/contract';
import {
  createApiClient,
  createSessionStore,
  openPendingErasure,
  type ApiClient,
  type SessionStore,
} from '@parley/client';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { clearBrowserCache } from '../browser/clear-browser-cache.ts';
import { createClock, type Clock } from '../browser/clock.ts';
import { createEarlyFetch } from '../browser/early-responses.ts';
import { browserStorage } from '../browser/local-record.ts';
import type { Host } from '../host/host.ts';
import { logFailure } from '../logging/log-failure.ts';
import { createSettingsStore, type SettingsStore } from './device-settings.ts';
import {
  saveSignedInUsername,
  clearSignedInUsername,
  readSignedInUsername,
  watchSignedInUsername,
} from './signed-in-username.ts';

/** Whether the server's certificate was rejected. Reported by the desktop app only; browsers show it themselves. */
export interface CertificateState {
  isRefused: boolean;
}

/** The configuration of a server that was updated to an incompatible version. */
export interface MismatchState {
  config: PublicConfig | undefined;
}

/** Whether a newer version of the application is ready to be loaded. */
export interface NewVersionState {
  isReady: boolean;
}

/** The services that exist for guests and users from the start of the page. */
export interface AppServices {
  readonly api: ApiClient;
  readonly session: SessionStore;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly certificate: StoreApi<CertificateState>;
  readonly mismatch: StoreApi<MismatchState>;
  readonly newVersion: StoreApi<NewVersionState>;
}

/** Creates the application's services. Call it once per page. */
export function createAppServices(host: Host): AppServices {
  const session = createSessionStore();
  const certificate = createStore<CertificateState>()(() => ({ isRefused: false }));
  const newVersion = createStore<NewVersionState>()(() => ({ isReady: false }));

  /** Returns whether another user has signed in in another tab, which replaced the session cookie. */
  const isOtherUser = (): boolean => {
    const { user } = session.getState();
    const current = readSignedInUsername();
    return user !== undefined && current !== undefined && current !== user.username;
  };
  /** Erases the user's data, even if no client is running. */
  const eraseAfterSession = (username: string, reason: SessionEndReason): void => {
    if (reason === 'expired') return;
    clearBrowserCache(host.serverOrigin);
    host.sharedContent?.clear().catch(() => undefined);
    // If the page is closed too early, the next page that opens the storage completes the erasure.
    openPendingErasure(browserStorage).write({ username, reason });
    Promise.all([import('../browser/offline-data.ts'), import('./recent-emoji.ts')])
      .then(([{ eraseOfflineData }, { clearRecentEmoji }]) => {
        if (reason !== 'password-changed') clearRecentEmoji();
        return eraseOfflineData(host, username, reason);
      })
      .catch((error: unknown) => logFailure('erasing the storage', error));
  };
  session.subscribe(({ user, endReason }, { user: before }) => {
    if (user?.username === before?.username) return;
    if (user) saveSignedInUsername(user.username);
    else clearSignedInUsername(before?.username);
    if (before && endReason) eraseAfterSession(before.username, endReason);
  });
  watchSignedInUsername(() => {
    if (isOtherUser()) session.getState().end('expired');
  });
  host.onCertificate?.((isRefused) => certificate.setState({ isRefused }));
  host.updates?.onReady(() => newVersion.setState({ isReady: true }));
  return {
    api: createApiClient({
      origin: host.serverOrigin,
      fetch: createEarlyFetch(window.earlyResponses),
      isOtherUser,
      onUnauthenticated: (reason) => {
        const lastUsername = session.getState().user ? undefined : readSignedInUsername();
        session.getState().end(reason);
        // The session ended while the browser was closed.
        if (lastUsername !== undefined) {
          // Those of push messages, which the next user must neither see nor reply to.
          host.withdrawAllNotifications?.({ keepsReplies: reason === 'expired' });
          host.setBadge(0);
          eraseAfterSession(lastUsername, reason);
        }
      },
    }),
    session,
    settings: createSettingsStore(),
    // Browsers tell by the visibility and the focus of the page.
    clock: createClock(host.device && host.onResume),
    certificate,
    mismatch: createStore<MismatchState>()(() => ({ config: undefined })),
    newVersion,
  };
}
