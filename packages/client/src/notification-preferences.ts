import type {
  Notifications,
  NotificationSettings,
  NotificationSettingsBody,
} from '@parley/contract';
import { ApiError, type ApiClient } from './api/client.ts';
import type { ClientStores } from './client-stores.ts';

/** The settings of notifications: loaded, changed optimistically, and updated from other devices. */
export interface NotificationPreferences {
  /** Fetches the settings, the devices with push messages and the server's key; undefined with older servers. */
  load: () => Promise<Notifications | undefined>;
  /** Applies the settings that the server reported. Ignores those older than the known ones. */
  apply: (settings: NotificationSettings) => void;
  /** Changes settings immediately, and on the server. Rejects with the old settings restored. */
  change: (changed: NotificationSettingsBody) => Promise<void>;
}

/** Creates the preferences, which are unknown until they are loaded. */
export function createNotificationPreferences(
  api: ApiClient,
  store: ClientStores['notificationSettings'],
): NotificationPreferences {
  let confirmed: NotificationSettings | undefined;
  /** Changes in the order of the user, which the server has not confirmed. */
  let pending: readonly NotificationSettingsBody[] = [];
  /** Sends one change after the other, so that the last one wins on the server, too. */
  let sending: Promise<unknown> = Promise.resolve();
  /** The request in progress. At a start with push messages, two parts of the app need its response. */
  let loading: Promise<Notifications | undefined> | undefined;

  function show(): void {
    store.setState({ settings: confirmed && withChanges(confirmed, pending) });
  }

  function apply(settings: NotificationSettings): void {
    if (confirmed && settings.version < confirmed.version) return;
    confirmed = settings;
    show();
  }

  async function send(changed: NotificationSettingsBody): Promise<void> {
    try {
      apply(await api.call('changeNotifications', { body: changed }));
    } finally {
      pending = pending.filter((each) => each !== changed);
      show();
    }
  }

  async function fetchNotifications(): Promise<Notifications | undefined> {
    try {
      const loaded = await api.call('getNotifications');
      apply(loaded.settings);
      return loaded;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  return {
    load: () => {
      loading ??= fetchNotifications().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    apply,
    change: (changed) => {
      pending = [...pending, changed];
      show();
      const sent = sending.then(() => send(changed));
      sending = sent.catch(() => undefined);
      return sent;
    },
  };
}

function withChanges(
  settings: NotificationSettings,
  changes: readonly NotificationSettingsBody[],
): NotificationSettings {
  const changed = changes.flatMap((change) => Object.entries(change));
  return {
    ...settings,
    ...Object.fromEntries(changed.filter(([, value]) => value !== undefined)),
  };
}
