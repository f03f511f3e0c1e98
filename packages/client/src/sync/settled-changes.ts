import { ApiError } from '../api/client.ts';
import { createBackoff } from '../backoff.ts';
import type { ClientCore } from '../client-core.ts';
import { runLater } from '../run-later.ts';
import { findChat } from '../stores/chats.ts';
import { findLoadedChatroom } from '../stores/loaded-chatrooms.ts';
import type { ChatroomLoader } from './chatroom-loader.ts';
import type { Change } from '../outbox/changes/change.ts';
import { withChangesOfChat, withChangesOfChatroom } from '../outbox/changes/change-types.ts';

interface SettledChangesDeps extends Pick<ClientCore, 'chatList' | 'signal' | 'timing'> {
  stores: Pick<ClientCore['stores'], 'chats' | 'rooms' | 'outbox' | 'connection'>;
  chatroomLoader: Pick<ChatroomLoader, 'resync'>;
}

/**
 * Drops a change that another tab has sent once this tab has learned of the outcome: by its live event, or by fetching
 * it if the event is late. While disconnected, the resync after reconnecting does both.
 */
export function dropOnceLearned(deps: SettledChangesDeps, settled: Change): void {
  const { stores, chatList, chatroomLoader, signal, timing } = deps;
  const backoff = createBackoff(timing.resyncRetryMin, timing.resyncRetryMax);

  async function drop(): Promise<void> {
    const { changes, settleChange } = stores.outbox.getState();
    if (!changes.includes(settled) || stores.connection.getState().status !== 'online') return;
    try {
      if (changesAnything(stores, settled)) {
        await Promise.all([chatList.load(), chatroomLoader.resync(settled.chatroomId)]);
      }
    } catch (error) {
      if (error instanceof ApiError && error.isTemporary) {
        runLater(signal, backoff.next(), () => void drop());
        return;
      }
    }
    settleChange(settled);
  }

  runLater(signal, timing.eventWait, () => void drop());
}

/** Returns whether what this tab knows would be shown differently without the change. */
function changesAnything({ chats, rooms }: SettledChangesDeps['stores'], change: Change): boolean {
  const chat = findChat(chats.getState(), change.chatroomId);
  const room = findLoadedChatroom(rooms.getState(), change.chatroomId);
  return (
    (chat !== undefined && !areEqual(chat, withChangesOfChat(chat, [change]))) ||
    (room !== undefined && !areEqual(room, withChangesOfChatroom(room, [change])))
  );
}

function areEqual(before: object, after: object | undefined): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
