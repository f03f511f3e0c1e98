import { hasFields } from '../../api/responses.ts';
import { isInChatList, type Chat } from '../../stores/chat-list.ts';
import type { LoadedChatroom } from '../../stores/loaded-chatroom.ts';
import { chatDeletion } from './chat-deletion.ts';
import { chatSettingsChange } from './chat-settings.ts';
import { chatStatus, statusAfter, type ChatDecision } from './chat-status.ts';
import type { Change, ChangeType } from './change.ts';
import { deletion } from './deletion.ts';
import { edit } from './edit.ts';
import { pinOrder } from './pin-order.ts';
import { reaction } from './reaction.ts';
import { readPosition } from './read-position.ts';

/** All types of changes, by the names with which the keys of their changes begin. */
const CHANGE_TYPES = {
  edit,
  deletion,
  reaction,
  'chat-deletion': chatDeletion,
  'chat-settings': chatSettingsChange,
  'pin-order': pinOrder,
  read: readPosition,
  status: chatStatus,
} satisfies Record<string, ChangeType<never>>;

/** The name of a type of changes. */
export type ChangeTypeName = keyof typeof CHANGE_TYPES;

/** Returns the name of a change's type; undefined if another version of the app has stored it. */
export function typeOfChange({ key }: Change): ChangeTypeName | undefined {
  const name = key.slice(0, key.indexOf(':'));
  return isChangeTypeName(name) ? name : undefined;
}

/** Returns the type of a change; undefined if another version of the app has stored it. */
export function recognizeChange(change: Change): ChangeType | undefined {
  const name = typeOfChange(change);
  if (!name) return undefined;
  // Its fields are those of the values that its functions take.
  const type = CHANGE_TYPES[name] as ChangeType;
  return hasFields(change.value, type.fields) ? type : undefined;
}

/** Returns whether a change goes beyond another one with the same key, which must not replace it then. */
export function goesBeyond(change: Change, other: Change): boolean {
  const type = recognizeChange(change);
  if (!type?.goesBeyond || recognizeChange(other) === undefined) return false;
  return type.goesBeyond(change.value, other.value);
}

/** Returns those of the changes that concern a chat, which is one function for many chats. */
export function selectChangesOfChats(
  changes: readonly Change[],
): (chatroomId: string) => readonly Change[] {
  const general = new Set(
    changes.filter((change) => recognizeChange(change)?.isAboutAllChats === true),
  );
  const changesOf = Map.groupBy(changes, ({ chatroomId }) => chatroomId);
  if (general.size === 0) return (id) => changesOf.get(id) ?? [];
  return (id) => changes.filter((change) => change.chatroomId === id || general.has(change));
}

/** Returns a chat as it is shown while changes of it wait. */
export function withChangesOfChat(chat: Chat, changes: readonly Change[]): Chat {
  return changes.reduce(
    (shown, change) => recognizeChange(change)?.applyToChat?.(shown, change.value) ?? shown,
    chat,
  );
}

/** Returns a chatroom as it is shown while changes of it wait; undefined if it is hidden. */
export function withChangesOfChatroom(
  room: LoadedChatroom,
  changes: readonly Change[],
  hasUnsent = false,
): LoadedChatroom | undefined {
  let shown: LoadedChatroom | undefined = room;
  for (const change of changes) {
    const type = recognizeChange(change);
    if (shown && type?.applyToChatroom)
      shown = type.applyToChatroom(shown, change.value, hasUnsent);
  }
  return shown;
}

/** Returns which decision about a partner a change is, if it is one. */
export function decisionOf(change: Change): ChatDecision | undefined {
  const isDecision = typeOfChange(change) === 'status' && recognizeChange(change) !== undefined;
  return isDecision ? (change.value as { decision: ChatDecision }).decision : undefined;
}

/** Finds the decision about the partner in a chat that waits, or that this tab has not learned the outcome of. */
export function findDecision(
  changes: readonly Change[],
  chatroomId: string,
): ChatDecision | undefined {
  const own = changes.filter((change) => change.chatroomId === chatroomId);
  return own.map(decisionOf).find((decision) => decision !== undefined);
}

/** Returns whether a decision that waits hides a chat. */
export function isHiddenByDecision(changes: readonly Change[], chatroomId: string): boolean {
  const decision = findDecision(changes, chatroomId);
  return decision !== undefined && !isInChatList({ status: statusAfter(decision) });
}

function isChangeTypeName(name: string): name is ChangeTypeName {
  return Object.hasOwn(CHANGE_TYPES, name);
}
