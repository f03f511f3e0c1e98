import type { ApiClient } from '../src/api/client.ts';
import { createHeadlessPlatform } from '../src/headless-platform.ts';
import type { ChangeContext } from '../src/outbox/changes/change.ts';
import { createChatsStore } from '../src/stores/chats.ts';
import { createDraftsStore } from '../src/stores/drafts.ts';
import { createChatroomsStore } from '../src/stores/loaded-chatrooms.ts';

/** Creates what changes need to be sent, with empty stores. */
export function createChangeContext(api: ApiClient): ChangeContext {
  return {
    api,
    stores: {
      chats: createChatsStore(),
      rooms: createChatroomsStore(),
      drafts: createDraftsStore(createHeadlessPlatform(), 'ada', Promise.resolve(undefined)),
    },
    applyChat: () => undefined,
  };
}
