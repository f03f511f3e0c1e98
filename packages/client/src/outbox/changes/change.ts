import type { StoreApi } from 'zustand/vanilla';
import type { ApiClient } from '../../api/client.ts';
import { hasFields, isNumber, isText, type FieldCheck } from '../../api/responses.ts';
import type { StorageContent } from '../../client-storage.ts';
import type { Chat } from '../../stores/chat-list.ts';
import type { ChatsState } from '../../stores/chats.ts';
import type { LoadedChatroom } from '../../stores/loaded-chatroom.ts';
import type { ChatroomsState } from '../../stores/loaded-chatrooms.ts';
import type { DraftsState } from '../drafts.ts';

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
  /** Place in the order in which a tab has made them. Higher with each change with the same key. */
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
  /** Applies a state of a chat from the server, of which `before` was known at the request. */
  readonly applyChat: (chat: Chat, before?: Chat) => void;
}

interface ChangeFacts {
  /** What it does, for the log. Completes "… failed". */
  readonly what: string;
  /**
   * Whether it is sent whatever the user has decided about the partner. Others wait for that, and are discarded with a
   * chat that is blocked or declined.
   */
  readonly isIndependent?: boolean;
  /** Whether it is sent again after any number of internal server errors, as it contains nothing to give back. */
  readonly isPatient?: boolean;
}

/** The declaration of a type of changes. */
export interface ChangeDeclaration<V extends object> extends ChangeFacts {
  /** Checks of all fields of a value. */
  readonly fields: { readonly [Field in keyof Required<V>]: FieldCheck };
  /** Returns what a change of this type changes. It replaces an earlier one that changes the same. */
  readonly target: (chatroomId: string, value: V) => string;
  /** Changes of one lane are sent in order. By default, those with the same target, which is at most one. */
  readonly lane?: (chatroomId: string, value: V) => string;
  /**
   * Sends a change, and applies the response to the stores before it resolves. May be called again for one that the
   * server has already carried out. Rejects with an `ApiError`.
   */
  readonly send: (context: ChangeContext, chatroomId: string, value: V) => Promise<void>;
  /** Called when the server has refused a change, before it is forgotten. */
  readonly onRefused?: (context: ChangeContext, chatroomId: string, value: V) => Promise<void>;
  /** Returns a chat as it is shown while the change waits. */
  readonly applyToChat?: (chat: Chat, value: V) => Chat;
  /** Likewise a chatroom; undefined if it is hidden. */
  readonly applyToChatroom?: (room: LoadedChatroom, value: V) => LoadedChatroom | undefined;
}

/** What this version of the app can do with a change. */
export interface KnownChange extends ChangeFacts {
  readonly lane: string;
  send: (context: ChangeContext) => Promise<void>;
  onRefused: (context: ChangeContext) => Promise<void>;
  applyToChat: (chat: Chat) => Chat;
  applyToChatroom: (room: LoadedChatroom) => LoadedChatroom | undefined;
}

/** A type of changes. */
export interface ChangeType<V extends object = never> {
  create: (chatroomId: string, value: V) => NewChange;
  /** Returns undefined for a value that another version has stored differently. */
  recognize: (change: Change) => KnownChange | undefined;
}

/** Creates a type of changes. */
export function defineChange<V extends object>(
  name: string,
  declaration: ChangeDeclaration<V>,
): ChangeType<V> {
  const { fields, target, lane, send, onRefused, applyToChat, applyToChatroom } = declaration;
  return {
    create: (chatroomId, value) => ({
      key: `${name}:${target(chatroomId, value)}`,
      chatroomId,
      value,
    }),
    recognize: ({ key, chatroomId, value: stored }) => {
      if (!hasFields(stored, fields)) return undefined;
      const value = stored as V;
      return {
        ...declaration,
        lane: lane?.(chatroomId, value) ?? key,
        send: (context) => send(context, chatroomId, value),
        onRefused: async (context) => onRefused?.(context, chatroomId, value),
        applyToChat: (chat) => applyToChat?.(chat, value) ?? chat,
        applyToChatroom: (room) => (applyToChatroom ? applyToChatroom(room, value) : room),
      };
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
