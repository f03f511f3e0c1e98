import {
  hasFields,
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
import { randomUuid } from '../uuid.ts';

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

/** A stored list. As a text, it is copied faster than as objects. */
interface StoredList {
  /** Differs between all lists. */
  readonly stamp: string;
  /** The chats as JSON. */
  readonly text: string;
}

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
  ownClearedSeq: optional(isNumber),
  isRemoved: isOptionalBoolean,
  status: isText,
  isSentAsRequest: isOptionalBoolean,
  receipt: (receipt) => isNull(receipt) || isReceipt(receipt),
  isPinned: isOptionalBoolean,
  pinRank: optional(isNumber),
  invitationAcceptedAt: optional(isText),
  settings: objectWith({
    isPinned: isOptionalBoolean,
    pinRank: optional(isNumber),
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
  let stamp: string | undefined;
  return {
    show: async (storage) => {
      const value = (await storage.get('chats', CHAT_LIST))?.value;
      const found = parseStoredChats(value);
      stored = found ?? [];
      if (found) chats.getState().setFromCopy(found);
    },
    write: async (storage) => {
      const { status, isFromCopy, chats: current } = chats.getState();
      if (status !== 'ready' || isFromCopy || stored === undefined || current === stored) return;
      const known = stored;
      const before = stamp;
      stored = current;
      const next = randomUuid();
      stamp = next;
      await storage.update('chats', CHAT_LIST, (record) => {
        const { value } = record ?? {};
        const isOwn = isStoredList(value) && value.stamp === before;
        // Another tab may have stored newer chats.
        const others = isOwn ? [] : (parseStoredChats(value) ?? []);
        const merged = mergeStored(current, others, known);
        // These are merged until this tab knows them, too.
        if (others.length > 0 && !isAsNew(current, merged)) stamp = undefined;
        const list: StoredList = { stamp: next, text: JSON.stringify(merged) };
        return { value: list };
      });
    },
    reset: () => {
      stored = [];
    },
  };
}

/** Merges the chats of this tab with those that another one has stored. */
function mergeStored(
  current: readonly Chat[],
  others: readonly Chat[],
  known: readonly Chat[],
): readonly Chat[] {
  if (others.length === 0) return current;
  const othersById = mapById(others);
  const knownById = mapById(known);
  return current.map((chat) => mergeFetched(chat, othersById.get(chat.id), knownById.get(chat.id)));
}

function isAsNew(current: readonly Chat[], merged: readonly Chat[]): boolean {
  return current.every(
    ({ rev, memberRev }, index) =>
      rev === merged[index]?.rev && memberRev === merged[index]?.memberRev,
  );
}

function mapById(chats: readonly Chat[]): ReadonlyMap<string, Chat> {
  return new Map(chats.map((chat) => [chat.id, chat]));
}

function isStoredList(value: unknown): value is StoredList {
  return hasFields(value, { stamp: isText, text: isText });
}

/** Parses a stored chat list. Returns undefined for any other value. */
function parseStoredChats(value: unknown): readonly Chat[] | undefined {
  if (!isStoredList(value)) return undefined;
  const chats = parseJson(value.text);
  return listOf(isChat)(chats) ? (chats as readonly Chat[]) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
