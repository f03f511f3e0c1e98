import {
  quietnessAt,
  type NotificationContent,
  type NotificationSettings,
  type Quietness,
} from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** The settings of the user's notifications, the same on all devices. */
export interface NotificationSettingsState {
  /** With changes that the server has not confirmed yet. Undefined until loaded, and with older servers. */
  settings: NotificationSettings | undefined;
}

/** Creates the store. */
export function createNotificationSettingsStore(): StoreApi<NotificationSettingsState> {
  return createStore<NotificationSettingsState>()(() => ({ settings: undefined }));
}

/** Returns how quiet it is now. */
export function currentQuietness({ settings }: NotificationSettingsState): Quietness {
  return settings ? quietnessAt(settings, Date.now()) : 'off';
}

/** Returns what notifications may say now: as little as possible until the user's choice is known. */
export function currentContent({ settings }: NotificationSettingsState): NotificationContent {
  return settings?.content ?? 'none';
}
