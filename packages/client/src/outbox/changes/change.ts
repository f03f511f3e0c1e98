import { hasFields, isNumber, isText, type FieldCheck } from '../../api/responses.ts';
import type { StorageContent } from '../../client-storage.ts';
import type { Chat } from '../../stores/chat-list.ts';
import { findChat } from '../../stores/chats.ts';
import type { LoadedChatroom } from '../../stores/loaded-chatroom.ts';
import type { OutboxContext } from '../outbox-context.ts';

/** A change that the user has made and the server has not confirmed, other than a message. */
export interface Change {
  /**
   * Identifies what it changes: the name of its type, a colon, and anything. Of several changes with the same key,
   * only the latest counts.
   */
  readonly key: string;
  readonly chatroomId: string;
  /** Any JSON object, which another version of the app may have stored. */
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

/** The declaration of a type of changes. */
interface ChangeDeclaration<V> {
  /** What it does, for the log. Completes "… failed". */
  readonly what: string;
  /**
   * Whether it is sent whatever the user has decided about the partner. Others wait for that, and are discarded with a
   * chat that is blocked or declined.
   */
  readonly isIndependent?: boolean;
  /** Whether it may change any chat, and is applied to all of them. */
  readonly isAboutAllChats?: boolean;
  /** Whether it is sent again after any number of internal server errors, as it contains nothing to give back. */
  readonly isPatient?: boolean;
  /** Checks of all fields of a value. */
  readonly fields: Readonly<Record<keyof V, FieldCheck>>;
  /** Returns what a change of this type changes. It replaces an earlier one that changes the same. */
  readonly target: (chatroomId: string, value: V) => string;
  /** Returns whether a value goes beyond another one with the same target, which must not replace it then. */
  readonly goesBeyond?: (value: V, other: V) => boolean;
  /** Changes of one lane are sent in order. By default, those with the same target, which is at most one. */
  readonly lane?: (chatroomId: string, value: V) => string;
  /**
   * Sends a change, and applies the response to the stores before it resolves. May be called again for one that the
   * server has already carried out. Rejects with an `ApiError`.
   */
  readonly send: (context: OutboxContext, chatroomId: string, value: V) => Promise<void>;
  /** Called when the server has refused a change, before it is forgotten. */
  readonly onRefused?: (context: OutboxContext, chatroomId: string, value: V) => Promise<void>;
  /** Returns a chat as it is shown while the change waits. */
  readonly applyToChat?: (chat: Chat, value: V) => Chat;
  /**
   * Likewise a chatroom; undefined if it is hidden.
   * @param hasUnsent whether messages of the user in it are not sent yet
   */
  readonly applyToChatroom?: (
    room: LoadedChatroom,
    value: V,
    hasUnsent: boolean,
  ) => LoadedChatroom | undefined;
}

/** A type of changes, with values that its `fields` accept. */
export interface ChangeType<V = unknown> extends ChangeDeclaration<V> {
  readonly create: (chatroomId: string, value: V) => NewChange;
}

/** Creates a type of changes. */
export function defineChange<V>(name: string, declaration: ChangeDeclaration<V>): ChangeType<V> {
  return {
    ...declaration,
    create: (chatroomId, value) => ({
      key: `${name}:${declaration.target(chatroomId, value)}`,
      chatroomId,
      value,
    }),
  };
}

/**
 * Keeps a change of a chat that the server has confirmed, until its live event. The revision stays, as events of
 * earlier changes may still follow.
 */
export function keepInChat(
  { chats }: OutboxContext['stores'],
  chatroomId: string,
  change: (chat: Chat) => Chat,
): void {
  const chat = findChat(chats.getState(), chatroomId);
  if (chat) chats.getState().setChat(change(chat));
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
