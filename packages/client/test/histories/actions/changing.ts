import { isUnaccepted } from '../../../src/stores/chat-list.ts';
import type { ChatSettingName } from '../steps.ts';
import type { Tab } from '../world/tab.ts';
import type { HistoryWorld } from '../world/history-world.ts';

/**
 * Edits or deletes a message of the user.
 * @param isOfAlbum whether it is a part of an album, if there is any
 */
export function change(
  { ledger }: HistoryWorld,
  tab: Tab,
  { do: action, pick, isOfAlbum = false }: { do: string; pick: number; isOfAlbum?: boolean },
): void {
  const { client, room } = tab;
  if (!client || !room) return;
  const isEdit = action === 'edit';
  const own = room.messages.filter(({ sender }) => sender.username === client.username);
  const parts = own.filter(({ albumId }) => albumId !== undefined);
  const possible = isOfAlbum && parts.length > 0 ? parts : own;
  const message = possible[pick % possible.length];
  if (!message) return;
  if (isEdit && message.kind !== 'text') return;
  if (isEdit) {
    client.startEdit(message);
    const text = ledger.edit(message, tab.page);
    client.drafts
      .getState()
      .change(message.chatroom, ({ editing }) =>
        editing ? { editing: { ...editing, text } } : {},
      );
    client.sendDraft(message.chatroom);
  } else {
    ledger.delete(message);
    client.remove(message);
  }
}

/** Reacts to a message, or takes the reaction back. */
export function react(
  { ledger, facts }: HistoryWorld,
  tab: Tab,
  { pick, emoji, isOn }: { pick: number; emoji: string; isOn: boolean },
): void {
  const { client, room } = tab;
  const message = room?.messages[pick % room.messages.length];
  if (!client || !room || !message) return;
  const reaction = { username: client.username, messageId: message._id, emoji };
  // The server refuses reactions to partners who are not accepted, also while an unblock, after which the chat is
  // shown as accepted, has not changed anything.
  const isUncertain = isUnaccepted(room) || !facts.hasConsented(client.username);
  ledger.react({ ...reaction, isOn, page: isUncertain ? undefined : tab.page });
  client.react(message, emoji, isOn);
}

/**
 * Changes a setting of the chat. The comparison of the lists judges the outcome. Returns whether the chat could be
 * changed.
 */
export function set(
  { settings }: HistoryWorld,
  { client, chatroomId, page }: Tab,
  setting: ChatSettingName,
): boolean {
  const listed = client?.chats.getState().chats ?? [];
  const chat = listed.find(({ id }) => id === chatroomId);
  if (!client || !chat || chat.status === 'request') return false;
  const { id, last } = chat;
  settings.set(client.username, setting, page, last?.seq ?? 0);
  if (setting === 'mark') client.markUnread(id);
  else if (setting.endsWith('mute')) client.mute(id, setting === 'mute' ? 'always' : undefined);
  else if (setting.endsWith('pin')) client.pin(id, setting === 'pin');
  else client.archive(id, setting === 'archive');
  return true;
}
