import type { StoreApi } from 'zustand/vanilla';
import type { MutationsState } from './mutations/mutations-store.ts';
import { createListedChatsStore, type ListedChatsState } from './mutations/listed-chats.ts';
import type { OutboxState } from './outbox/outbox-store.ts';
import type { Platform } from './platform.ts';
import type { OpenedStorage } from './storage/open-storage.ts';
import { createActivityStore, type ActivityState } from './stores/activity.ts';
import { createChatsStore, type ChatsState } from './stores/chats.ts';
import { createConnectionStore, type ConnectionState } from './stores/connection.ts';
import { createDraftsStore, type DraftsState } from './stores/drafts.ts';
import { createEditingStore, type EditingState } from './stores/editing.ts';
import {
  createNotificationSettingsStore,
  type NotificationSettingsState,
} from './stores/notification-settings.ts';
import { createPlaybackStore, type PlaybackState } from './stores/playback.ts';
import { createQuotesStore, type QuotesState } from './stores/quotes.ts';
import {
  createReadingPositionsStore,
  type ReadingPositionsState,
} from './stores/reading-positions.ts';
import { createChatroomsStore, type ChatroomsState } from './stores/loaded-chatrooms.ts';
import { createViewStore, type ViewState } from './stores/view.ts';

/** The state of a signed-in session. */
export interface ClientStores {
  readonly activity: StoreApi<ActivityState>;
  readonly chats: StoreApi<ChatsState>;
  readonly listed: StoreApi<ListedChatsState>;
  readonly rooms: StoreApi<ChatroomsState>;
  readonly outbox: StoreApi<OutboxState>;
  readonly drafts: StoreApi<DraftsState>;
  readonly mutations: StoreApi<MutationsState>;
  readonly connection: StoreApi<ConnectionState>;
  readonly view: StoreApi<ViewState>;
  readonly editing: StoreApi<EditingState>;
  readonly notificationSettings: StoreApi<NotificationSettingsState>;
  readonly playback: StoreApi<PlaybackState>;
  readonly quotes: StoreApi<QuotesState>;
  readonly readingPositions: StoreApi<ReadingPositionsState>;
}

/** Creates all stores except the outbox and the mutations. Stored data is added once the storage is open. */
export function createClientStores(
  platform: Platform,
  username: string,
  opened: OpenedStorage,
): Omit<ClientStores, 'outbox' | 'mutations'> {
  return {
    activity: createActivityStore(),
    chats: createChatsStore(),
    listed: createListedChatsStore(),
    rooms: createChatroomsStore(),
    drafts: createDraftsStore(platform, username, opened),
    connection: createConnectionStore(),
    view: createViewStore(),
    editing: createEditingStore(),
    notificationSettings: createNotificationSettingsStore(),
    playback: createPlaybackStore(),
    quotes: createQuotesStore(),
    readingPositions: createReadingPositionsStore(),
  };
}
