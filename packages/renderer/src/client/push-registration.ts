import { ApiError, hasBecomeReachable, type Client } from '@parley/client';
import type { SessionEndReason } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SettingsStore } from '../app/device-settings.ts';
import type { Host } from '../host/host.ts';
import { logFailure } from '../logging/log-failure.ts';

/** Whether push messages reach this browser, and if not although they could, why. */
export type PushStatus =
  /** Not supported, not allowed or not wanted. */
  | 'off'
  | 'connecting'
  | 'on'
  /** The server does not send to the browser's push service. */
  | 'refused'
  /** The browser allows notifications, but no push messages, such as in a private window. */
  | 'denied'
  /** The browser could not reach its push service, or the server could not be reached. */
  | 'failed';

/** The push messages of this browser. */
export interface PushRegistration {
  readonly status: StoreApi<{ status: PushStatus }>;
  /** Asks the user for permission and subscribes. Call it in the handler of a tap. */
  enable: () => Promise<void>;
  /** Turns off notifications on this device. */
  disable: () => Promise<void>;
  /** Subscribes again after a failure. With `isEnded`, replaces a subscription that no longer works. */
  renew: (options?: { isEnded?: boolean }) => Promise<void>;
  /** Stops it. Ends the subscription if the session has ended. */
  stop: (ended: SessionEndReason | undefined) => void;
}

interface PushRegistrationDeps {
  host: Pick<
    Host,
    'push' | 'notificationState' | 'requestNotifications' | 'withdrawAllNotifications'
  >;
  client: Pick<Client, 'api' | 'connection' | 'notificationPreferences'>;
  settings: SettingsStore;
}

/** Creates the registration, which subscribes at each start, as the server may have lost the subscription. */
export function createPushRegistration({
  host,
  client,
  settings,
}: PushRegistrationDeps): PushRegistration {
  const status = createStore<{ status: PushStatus }>()(() => ({ status: 'off' }));
  const { push } = host;
  let isStopped = false;
  let subscribing: Promise<void> | undefined;

  const isWanted = (): boolean =>
    !isStopped &&
    !settings.getState().areNotificationsOff &&
    host.notificationState() === 'granted';

  function show(next: PushStatus): void {
    if (!isStopped) status.setState({ status: next });
  }

  async function subscribeNow(): Promise<void> {
    if (push?.support !== 'supported' || !isWanted()) {
      show('off');
      return;
    }
    show('connecting');
    try {
      const notifications = await client.notificationPreferences.load();
      const subscription = notifications && (await push.subscribe(notifications.publicKey));
      // The user may have turned it off, or logged out, in the meantime.
      if (!subscription || !isWanted()) {
        show('off');
        return;
      }
      await client.api.call('subscribePush', { body: subscription });
      show('on');
    } catch (error) {
      if (isStopped) return;
      logFailure('subscribing to push messages', error);
      show(causeOf(error));
    }
  }

  function subscribe(): Promise<void> {
    subscribing ??= subscribeNow().finally(() => {
      subscribing = undefined;
    });
    return subscribing;
  }

  const unsubscribe = client.connection.subscribe((now, before) => {
    if (!hasBecomeReachable(now, before)) return;
    if (status.getState().status !== 'on') void subscribe();
  });

  return {
    status,
    enable: async () => {
      settings.getState().setNotificationsOff(false);
      await host.requestNotifications();
      await subscribe();
    },
    disable: async () => {
      settings.getState().setNotificationsOff(true);
      host.withdrawAllNotifications?.();
      await push?.unsubscribe();
      await client.api.call('unsubscribePush').catch((error: unknown) => {
        // The push service tells the server that the subscription has ended.
        logFailure('unsubscribing from push messages', error);
      });
      show('off');
    },
    renew: async ({ isEnded = false } = {}) => {
      if (isEnded) await push?.unsubscribe();
      await subscribe();
    },
    stop: (ended) => {
      isStopped = true;
      unsubscribe();
      if (!ended) return;
      host.withdrawAllNotifications?.({ keepsReplies: ended === 'expired' });
      // The server ends it with the session. That of an expired session is used again after the next login.
      if (ended !== 'expired') void push?.unsubscribe();
    },
  };
}

function causeOf(error: unknown): 'refused' | 'denied' | 'failed' {
  if (error instanceof ApiError && error.code === 'push_endpoint_refused') return 'refused';
  // Chromium's private windows report an AbortError with this message.
  const isDenied =
    error instanceof DOMException &&
    (error.name === 'NotAllowedError' || error.message.includes('permission denied'));
  return isDenied ? 'denied' : 'failed';
}
