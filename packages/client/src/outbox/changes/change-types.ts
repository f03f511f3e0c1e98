import type { Chat } from '../../stores/chat-list.ts';
import type { LoadedChatroom } from '../../stores/loaded-chatroom.ts';
import { chatSettingsChange } from './chat-settings.ts';
import { chatStatus } from './chat-status.ts';
import type { Change, ChangeType } from './change.ts';
import { deletion } from './deletion.ts';
import { edit } from './edit.ts';
import { reaction } from './reaction.ts';
import { readPosition } from './read-position.ts';

/** All types of changes, by the names with which the keys of their changes begin. */
const CHANGE_TYPES = {
  edit,
  deletion,
  reaction,
  'chat-settings': chatSettingsChange,
  read: readPosition,
  status: chatStatus,
} satisfies Record<string, ChangeType>;

/** The name of a type of changes. */
export type ChangeTypeName = keyof typeof CHANGE_TYPES;

/** A type of changes with its name. */
export interface NamedChangeType {
  readonly name: ChangeTypeName;
  readonly type: ChangeType;
}

/** Finds the type of a change. Returns undefined if another version of the app has stored it. */
export function findChangeType(change: Change): NamedChangeType | undefined {
  const name = change.key.slice(0, change.key.indexOf(':'));
  if (!isChangeTypeName(name)) return undefined;
  const type: ChangeType = CHANGE_TYPES[name];
  return type.isValid(change) ? { name, type } : undefined;
}

/** Returns a chat as it is shown while changes of it wait. */
export function withChangesOfChat(chat: Chat, changes: readonly Change[]): Chat {
  return changes.reduce(
    (current, change) => findChangeType(change)?.type.applyToChat(current, change) ?? current,
    chat,
  );
}

/** Returns a chatroom as it is shown while changes of it wait; undefined if it is hidden. */
export function withChangesOfChatroom(
  room: LoadedChatroom,
  changes: readonly Change[],
): LoadedChatroom | undefined {
  let shown: LoadedChatroom | undefined = room;
  for (const change of changes) {
    const found = findChangeType(change);
    if (found) shown = shown && found.type.applyToChatroom(shown, change);
  }
  return shown;
}

function isChangeTypeName(name: string): name is ChangeTypeName {
  return Object.hasOwn(CHANGE_TYPES, name);
}
