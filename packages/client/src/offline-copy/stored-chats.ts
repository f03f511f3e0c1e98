import {
  isBoolean,
  isNumber,
  isOptionalBoolean,
  isText,
  listOf,
  objectWith,
  optional,
  type FieldCheck,
} from '../api/responses.ts';
import type { ClientStores } from '../client-stores.ts';
import type { UserStorage } from '../storage/user-storage.ts';
import { isLast, type Chat } from '../stores/chat-list.ts';
import { mergeFetched } from '../stores/chats.ts';

/** The chat list of the offline copy. */
export interface StoredChatList {
  /** Reads the stored list and shows it, unless the server's list is already loaded. */
  show: (storage: UserStorage) => Promise<void>;
  /** Writes the list of the store, unless it is stored already or comes from the copy. */
  write: (storage: UserStorage) => Promise<void>;
  /** Forgets what is stored, so that the list is written again. */
  reset: () => void;
}

/** Key of the list in the collection `chats`. */
const CHAT_LIST = 'list';

const isNull: FieldCheck = (value) => value === null;
const isReceipt = objectWith({ deliveredSeq: isNumber, readSeq: isNumber });

const isChat = objectWith({
  id: isText,
  names: listOf(isText),
  isDeleted: isBoolean,
  last: isLast,
  time: (time) => isNull(time) || isText(time),
  activeAt: isText,
  unread: isNumber,
  rev: isNumber,
  memberRev: isNumber,
  readSeq: isNumber,
  clearedSeq: isNumber,
  status: isText,
  isSentAsRequest: isOptionalBoolean,
  receipt: (receipt) => isNull(receipt) || isReceipt(receipt),
  isPinned: isOptionalBoolean,
  settings: objectWith({
    isPinned: isOptionalBoolean,
    isArchived: isOptionalBoolean,
    isMarkedUnread: isOptionalBoolean,
    mutedUntil: optional(isText),
  }),
  reaction: optional(
    objectWith({
      messageId: isText,
      emoji: isText,
      content: isText,
      kind: isText,
      createdAt: isText,
    }),
  ),
});

/** Creates the stored list for the store of chats. */
export function createStoredChatList(chats: ClientStores['chats']): StoredChatList {
  /** The stored list, undefined until it is read. */
  let stored: readonly Chat[] | undefined;
  return {
    show: async (storage) => {
      const found = parseStoredChats((await storage.get('chats', CHAT_LIST))?.value);
      stored = found ?? [];
      if (found) chats.getState().setFromCopy(found);
    },
    write: async (storage) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (status !== 'ready' || isFromCopy || stored === undefined || current === stored) return;
      const known = mapById(stored);
      stored = current;
      await storage.update('chats', CHAT_LIST, (record) => {
        // Another tab may have stored newer chats.
        const others = mapById(parseStoredChats(record?.value) ?? []);
        const value = current.map((chat) =>
          mergeFetched(chat, others.get(chat.id), known.get(chat.id)),
        );
        return { value };
      });
    },
    reset: () => {
      stored = [];
    },
  };
}

function mapById(chats: readonly Chat[]): ReadonlyMap<string, Chat> {
  return new Map(chats.map((chat) => [chat.id, chat]));
}

/** Parses a stored chat list. Returns undefined for any other value. */
function parseStoredChats(value: unknown): readonly Chat[] | undefined {
  return listOf(isChat)(value) ? (value as readonly Chat[]) : undefined;
}
