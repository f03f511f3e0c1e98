import type { Message } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import type { ApiClient, ApiError } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import { isInChatList, type Chat } from '../stores/chat-list.ts';
import { findChat, type ChatsState } from '../stores/chats.ts';
import type { ConnectionState } from '../stores/connection.ts';
import type { ChatroomsState } from '../stores/loaded-chatrooms.ts';
import type { ClientTiming } from '../timing.ts';
import type { ChosenImagesState } from './chosen-images.ts';
import type { ChangeTypeName } from './changes/change-types.ts';
import type { DraftsState } from './drafts.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import type { OutboxState } from './outbox-store.ts';

/** What the app is told of mutations. */
export interface OutboxEvents {
  /** Called when the server has stored a message sent from this tab. */
  onSent: () => void;
  /**
   * Called when an entry is no longer retried: the server refused a message, or a file or first
   * message failed and became a draft again. With code `partner_deleted`, all of the chatroom's
   * unsent files of the same kind are discarded.
   */
  onSendRefused: (entry: OutboxEntry, error: ApiError) => void;
  /**
   * Called when the server refused a change, which is no longer shown, and at the first failure of a
   * read position, which may be sent again. The text of a refused edit is added to the draft.
   * @param count how many changes were refused. Several deletions are reported once, when none waits any more
   */
  onChangeFailed: (error: ApiError, type: ChangeTypeName, count: number) => void;
}

/** What the outbox needs of its client. */
export interface OutboxContext {
  readonly api: ApiClient;
  readonly platform: Platform;
  readonly stores: {
    readonly outbox: StoreApi<OutboxState>;
    readonly drafts: StoreApi<DraftsState>;
    readonly chosenImages: StoreApi<ChosenImagesState>;
    readonly chats: StoreApi<ChatsState>;
    readonly rooms: StoreApi<ChatroomsState>;
    readonly connection: StoreApi<ConnectionState>;
  };
  readonly chatList: { readonly request: () => void };
  readonly events: Partial<OutboxEvents>;
  /** Aborted once the client is disposed of. */
  readonly signal: AbortSignal;
  readonly timing: Pick<ClientTiming, 'sendRetryMin' | 'sendRetryMax' | 'eventWait'>;
  /** Asks whether the server has a version that this client supports. Resolves to false if it does not tell. */
  readonly isVersionSupported: () => Promise<boolean>;
  /** Applies a state of a chat from the server, of which `before` was known at the request. */
  readonly applyChat: (chat: Chat, before?: Chat) => void;
  /** Fetches the state of a chat again, if it is still needed then. */
  readonly refetchChat: (chatroomId: string, isNeeded?: () => boolean) => void;
  /** Changes a chat by a message. Refetches the list if `change` returns undefined and no event follows. */
  readonly changeChat: (message: Message, change: (chat: Chat) => Chat | undefined) => void;
}

/** What `refetchIfListed` needs. */
interface RefetchContext extends Pick<OutboxContext, 'refetchChat'> {
  readonly stores: Pick<OutboxContext['stores'], 'chats'>;
}

/**
 * Fetches the state of a chat again after a refusal, unless it is not listed, or an event has told its state.
 * @param before what was known at the request that was refused
 */
export function refetchIfListed(
  { stores, refetchChat }: RefetchContext,
  chatroomId: string,
  before: Chat | undefined,
): void {
  refetchChat(chatroomId, () => {
    const chat = findChat(stores.chats.getState(), chatroomId);
    return chat !== undefined && isInChatList(chat) && chat.memberRev === before?.memberRev;
  });
}
