import type { StoreApi } from 'zustand/vanilla';
import type { ApiClient } from '../../api/client.ts';
import { hasFields, isNumber, isText, type FieldCheck } from '../../api/responses.ts';
import type { StorageContent } from '../../client-storage.ts';
import type { Chat } from '../../stores/chat-list.ts';
import type { ChatsState } from '../../stores/chats.ts';
import type { DraftsState } from '../../stores/drafts.ts';
import type { LoadedChatroom } from '../../stores/loaded-chatroom.ts';
import type { ChatroomsState } from '../../stores/loaded-chatrooms.ts';

/** A change that the user has made and the server has not confirmed, other than a message. */
export interface Change {
  /**
   * Identifies what it changes: the name of its type, a colon, and anything. Of several changes with the same key,
   * only the latest counts.
   */
  readonly key: string;
  readonly chatroomId: string;
  /** Any JSON value, which another version of the app may have stored. */
  readonly value: unknown;
  /** Place in the sending order. Unique, and higher with each change with the same key. */
  readonly order: number;
  /**
   * Present and true once another tab has sent it. It stays in memory until this tab has learned of the outcome, so
   * that what it changes does not flicker. Not stored.
   */
  readonly isSettled?: true;
}

/** A change that is not in the outbox yet. */
export type NewChange = Omit<Change, 'order' | 'isSettled'>;

/** What changes need to be sent. */
export interface ChangeContext {
  readonly api: ApiClient;
  readonly stores: {
    readonly chats: StoreApi<ChatsState>;
    readonly rooms: StoreApi<ChatroomsState>;
    readonly drafts: StoreApi<DraftsState>;
  };
  /** By chatroom, positions that the server refused as read, which are not sent again and again. */
  readonly refusedReads: Map<string, number>;
  /** Applies a state of a chat from the server, of which `before` was known at the request. */
  readonly applyChat: (chat: Chat, before?: Chat) => void;
}

/** The declaration of a type of changes. */
export interface ChangeDeclaration<V extends object> {
  /** What it does, for the log. Completes "… failed". */
  readonly what: string;
  /** Checks of all fields of a value. */
  readonly fields: { readonly [Field in keyof Required<V>]: FieldCheck };
  /** Returns what tells apart what changes of this type change. */
  readonly target: (chatroomId: string, value: V) => string;
  /** Changes of a chatroom with the same lane are sent in order. The default is one for each type. */
  readonly lane?: string;
  /**
   * Sends a change, and applies the response to the stores before it resolves. May be called again for one that the
   * server has already carried out. Rejects with an `ApiError`.
   */
  readonly send: (context: ChangeContext, chatroomId: string, value: V) => Promise<void>;
  /** Called when the server has refused a change, which is no longer shown. */
  readonly onRefused?: (context: ChangeContext, chatroomId: string, value: V) => void;
  /** Returns a chat as it is shown while the change waits. */
  readonly applyToChat?: (chat: Chat, value: V) => Chat;
  /** Likewise a chatroom; undefined if it is hidden. */
  readonly applyToChatroom?: (room: LoadedChatroom, value: V) => LoadedChatroom | undefined;
}

/** A type of changes. Its functions ignore changes whose value another version has stored differently. */
export interface ChangeType<V extends object = never> {
  readonly what: string;
  readonly lane: string;
  create: (chatroomId: string, value: V) => NewChange;
  /** Returns whether the value of a change is one of this type. */
  isValid: (change: Change) => boolean;
  send: (context: ChangeContext, change: Change) => Promise<void>;
  onRefused: (context: ChangeContext, change: Change) => void;
  applyToChat: (chat: Chat, change: Change) => Chat;
  applyToChatroom: (room: LoadedChatroom, change: Change) => LoadedChatroom | undefined;
}

/** Creates a type of changes. */
export function defineChange<V extends object>(
  name: string,
  declaration: ChangeDeclaration<V>,
): ChangeType<V> {
  const { what, fields, target, lane = name, applyToChat, applyToChatroom } = declaration;
  const parse = ({ value }: Change): V | undefined =>
    hasFields(value, fields) ? (value as V) : undefined;
  return {
    what,
    lane,
    create: (chatroomId, value) => ({
      key: `${name}:${target(chatroomId, value)}`,
      chatroomId,
      value,
    }),
    isValid: (change) => parse(change) !== undefined,
    send: async (context, change) => {
      const value = parse(change);
      if (value) await declaration.send(context, change.chatroomId, value);
    },
    onRefused: (context, change) => {
      const value = parse(change);
      if (value) declaration.onRefused?.(context, change.chatroomId, value);
    },
    applyToChat: (chat, change) => {
      const value = applyToChat && parse(change);
      return value ? applyToChat(chat, value) : chat;
    },
    applyToChatroom: (room, change) => {
      const value = applyToChatroom && parse(change);
      return value ? applyToChatroom(room, value) : room;
    },
  };
}

/** Returns the content to store for a change. */
export function serializeChange({ chatroomId, value, order }: Change): StorageContent {
  return { value: { chatroomId, value, order } };
}

/** Parses a stored change. Returns undefined for any other content. */
export function parseChange(key: string, { value }: StorageContent): Change | undefined {
  const isChange = hasFields(value, { chatroomId: isText, order: isNumber });
  return isChange ? { ...(value as Omit<Change, 'key'>), key } : undefined;
}
