import type { Message } from '@parley/contract';
import { createTestClient, type TestUser } from './harness.ts';
import { dial } from './live.ts';
import { ChatroomMirror } from './chatroom-mirror.ts';

/** A user with a live connection whose chatroom is kept current by events and resyncs. */
export class Participant {
  readonly user: TestUser;
  readonly #chatroomId: string;
  readonly #mirror = new ChatroomMirror();
  #resyncing: Promise<void> = Promise.resolve();

  constructor(
    server: { url: string },
    { id, username, sessionId, cookie }: TestUser,
    room: string,
  ) {
    this.user = { ...createTestClient(server.url, cookie), id, username, sessionId };
    this.#chatroomId = room;
    const { socket } = dial(server, this.user, { reconnectionDelay: 100 });
    socket.on('connect', () => this.resync());
    socket.on('message', (message) => this.#receive(message));
    socket.on('message-delete', ({ deletedMessage }) => {
      if (this.#advance(deletedMessage.rev)) this.#mirror.messages.delete(deletedMessage._id);
      else this.resync();
    });
  }

  messages(): Message[] {
    return this.#mirror.room(this.#chatroomId);
  }

  resync(): void {
    this.#resyncing = this.#resyncAfter(this.#resyncing);
  }

  async #resyncAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    // If the server is down, the next connection resyncs.
    await this.#mirror.resync(this.user, [this.#chatroomId], 1_000).catch(() => 0);
  }

  #receive(message: Message): void {
    if (this.#advance(message.rev)) this.#mirror.messages.set(message._id, message);
    else this.resync();
  }

  /** Returns whether no earlier revision is missing. */
  #advance(rev: number): boolean {
    const known = this.#mirror.revs[this.#chatroomId] ?? 0;
    if (rev !== known + 1) return rev <= known;
    this.#mirror.revs[this.#chatroomId] = rev;
    return true;
  }
}
