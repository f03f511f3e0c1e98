import type { ApiClient } from '../src/api/client.ts';
import { createHeadlessPlatform } from '../src/headless-platform.ts';
import type { ChangeContext } from '../src/outbox/changes/change.ts';
import { createChatsStore } from '../src/stores/chats.ts';
import { createDraftsStore } from '../src/outbox/drafts.ts';
import { createChatroomsStore } from '../src/stores/loaded-chatrooms.ts';
import { createAdasOutbox } from './create-adas-outbox.ts';

/** Creates what changes need to be sent, with empty stores. */
export function createChangeContext(api: ApiClient): ChangeContext {
  const { store: outbox } = createAdasOutbox();
  return {
    api,
    stores: {
      chats: createChatsStore(),
      rooms: createChatroomsStore(),
      drafts: createDraftsStore(
        createHeadlessPlatform(),
        'Ada',
        Promise.resolve(undefined),
        outbox,
      ),
    },
    applyChat: () => undefined,
  };
}
