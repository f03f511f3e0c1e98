import type { StoreApi } from 'zustand/vanilla';
import { createDraftsStore, type DraftsState } from './outbox/drafts.ts';
import type { OutboxState } from './outbox/outbox-store.ts';
import type { Platform } from './platform.ts';
import type { OpenedStorage } from './storage/open-storage.ts';
import { createShownChatroomsStore, type ShownChatroomsState } from './shown/shown-chatrooms.ts';
import { createShownChatsStore, type ShownChatsState } from './shown/shown-chats.ts';
import { createActivityStore, type ActivityState } from './stores/activity.ts';
import { createChatsStore, type ChatsState } from './stores/chats.ts';
import { createConnectionStore, type ConnectionState } from './stores/connection.ts';
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

/** The chats and chatrooms as they are shown: as on the server, with the waiting changes of the user. */
export interface ShownStores {
  readonly chats: StoreApi<ShownChatsState>;
  readonly rooms: StoreApi<ShownChatroomsState>;
}

/** The state of a signed-in session within the client. */
export interface ClientStores {
  readonly activity: StoreApi<ActivityState>;
  /** The chats as on the server. */
  readonly chats: StoreApi<ChatsState>;
  /** The chatrooms as on the server. */
  readonly rooms: StoreApi<ChatroomsState>;
  readonly shown: ShownStores;
  readonly outbox: StoreApi<OutboxState>;
  readonly drafts: StoreApi<DraftsState>;
  readonly connection: StoreApi<ConnectionState>;
  readonly view: StoreApi<ViewState>;
  readonly notificationSettings: StoreApi<NotificationSettingsState>;
  readonly playback: StoreApi<PlaybackState>;
  readonly quotes: StoreApi<QuotesState>;
  readonly readingPositions: StoreApi<ReadingPositionsState>;
}

/** The state of a signed-in session as the user interface sees it. */
export type PublishedStores = Omit<ClientStores, keyof ShownStores | 'shown'> & ShownStores;

/** Creates the stores beside the outbox. Stored data is added once the storage is open. */
export function createClientStores(
  platform: Platform,
  username: string,
  opened: OpenedStorage,
  outbox: StoreApi<OutboxState>,
): ClientStores {
  return {
    activity: createActivityStore(),
    chats: createChatsStore(),
    rooms: createChatroomsStore(),
    shown: { chats: createShownChatsStore(), rooms: createShownChatroomsStore() },
    outbox,
    drafts: createDraftsStore(platform, username, opened, outbox),
    connection: createConnectionStore(),
    view: createViewStore(),
    notificationSettings: createNotificationSettingsStore(),
    playback: createPlaybackStore(),
    quotes: createQuotesStore(),
    readingPositions: createReadingPositionsStore(),
  };
}
