import type { ChatState, Message } from '@parley/contract';
import { changesSince } from './chatting.ts';
import type { TestUser } from './harness.ts';

/** Returns the fields of a chat that contain the partner's positions. */
export function pickPositions(
  chat: Pick<ChatState, 'partnerDeliveredSeq' | 'partnerReadSeq'>,
): object {
  const { partnerDeliveredSeq, partnerReadSeq } = chat;
  return partnerDeliveredSeq === undefined && partnerReadSeq === undefined
    ? {}
    : { partnerDeliveredSeq, partnerReadSeq };
}

/** The state that a client derives from changes alone: messages by id, revisions by chatroom. */
export class ChatroomMirror {
  readonly revs: Record<string, number> = {};
  readonly messages = new Map<string, Message>();
  readonly chats = new Map<string, ChatState>();
  /** The messages that the latest resync has received. */
  received: Message[] = [];

  /** Resyncs the given chatrooms, which may be new. Returns the number of requests it took. */
  async resync(user: TestUser, chatroomIds: readonly string[], limit: number): Promise<number> {
    for (const id of chatroomIds) this.revs[id] ??= 0;
    this.received = [];
    let requests = 0;
    let hasMore = true;
    while (hasMore) {
      requests += 1;
      const changes = await changesSince(user, this.revs, limit);
      for (const room of changes.rooms) {
        const { chat, rev } = room;
        const { chatId } = chat;
        if (rev < (this.revs[chatId] ?? 0)) throw new Error('a revision went back');
        this.revs[chatId] = rev;
        this.received.push(...room.updated);
        for (const message of room.updated) this.messages.set(message._id, message);
        for (const { _id } of room.deleted) this.messages.delete(_id);
        this.chats.set(chatId, chat);
        this.#discardCleared(chat, user.username);
      }
      for (const id of changes.gone) delete this.revs[id];
      ({ hasMore } = changes);
    }
    return requests;
  }

  /** Returns the messages of a chatroom, oldest first. */
  room(id: string): Message[] {
    return [...this.messages.values()]
      .filter(({ chatroom }) => chatroom === id)
      .toSorted((a, b) => a.seq - b.seq);
  }

  /** Removes the messages of a chat that its user has deleted. */
  #discardCleared(
    { chatId, clearedSeq = 0, ownClearedSeq = 0 }: ChatState,
    username: string,
  ): void {
    for (const { _id, seq, sender } of this.room(chatId)) {
      const cleared = sender.username === username ? ownClearedSeq : clearedSeq;
      if (seq <= cleared) this.messages.delete(_id);
    }
  }
}
