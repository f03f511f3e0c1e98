import type { StoreApi } from 'zustand/vanilla';
import { createChosenImagesStore } from './outbox/chosen-images.ts';
import { createDraftsStore } from './outbox/drafts.ts';
import type { OutboxState } from './outbox/outbox-store.ts';
import type { Platform } from './platform.ts';
import type { OpenedStorage } from './storage/open-storage.ts';
import { createShownChatroomsStore } from './shown/shown-chatrooms.ts';
import { createShownChatsStore } from './shown/shown-chats.ts';
import { createActivityStore } from './stores/activity.ts';
import { createChatsStore } from './stores/chats.ts';
import { createConnectionStore } from './stores/connection.ts';
import { createNotificationSettingsStore } from './stores/notification-settings.ts';
import { createPlaybackStore } from './stores/playback.ts';
import { createQuotesStore } from './stores/quotes.ts';
import { createReadingPositionsStore } from './stores/reading-positions.ts';
import { createChatroomsStore } from './stores/loaded-chatrooms.ts';
import { createViewStore } from './stores/view.ts';

/** The state of a signed-in session within the client. */
export type ClientStores = Readonly<ReturnType<typeof createClientStores>>;

/** The state of a signed-in session as the user interface sees it. */
export type PublishedStores = Omit<ClientStores, 'shown' | 'chats' | 'rooms'> &
  Readonly<ClientStores['shown']>;

/**
 * Creates the stores beside the outbox. Stored data is added once the storage is open.
 * @param signal ends updates of what is shown
 */
export function createClientStores(
  platform: Pick<Platform, 'logFailure'>,
  username: string,
  opened: OpenedStorage,
  outbox: StoreApi<OutboxState>,
  signal: AbortSignal,
) {
  const drafts = createDraftsStore(platform, username, opened, outbox);
  const chats = createChatsStore();
  const rooms = createChatroomsStore();
  return {
    activity: createActivityStore(),
    /** The chats as on the server. */
    chats,
    /** The chatrooms as on the server. */
    rooms,
    /** The chats and chatrooms as they are shown: as on the server, with the waiting changes of the user. */
    shown: {
      chats: createShownChatsStore(chats, outbox, drafts, signal),
      rooms: createShownChatroomsStore(rooms, outbox, signal),
    },
    outbox,
    drafts,
    chosenImages: createChosenImagesStore(),
    connection: createConnectionStore(),
    view: createViewStore(),
    notificationSettings: createNotificationSettingsStore(),
    playback: createPlaybackStore(),
    quotes: createQuotesStore(),
    readingPositions: createReadingPositionsStore(),
  };
}
