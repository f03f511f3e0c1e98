import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Signer } from '@fastify/cookie';
import SQLite from 'better-sqlite3';

/** A signed-in user. */
export interface SeededUser {
  readonly id: string;
  readonly name: string;
  /** The `Cookie` header of the user's session. */
  readonly cookie: string;
}

/** Two users and their chatroom. */
export interface SeededPair {
  readonly chatroomId: string;
  readonly users: readonly [SeededUser, SeededUser];
}

/** The messages of a chatroom. */
export interface ChatroomOptions {
  readonly textOf?: (seq: number) => string;
  /** When the newest message was sent. */
  readonly newestAt?: number;
  /** Milliseconds between two messages; 1 by default. */
  readonly interval?: number;
}

const defaultText = (seq: number) => `Message number ${seq}`;

/**
 * Opens the database of a stopped server to insert rows directly, which is faster than using the API.
 */
export function openSeeder(dataDir: string) {
  const db = new SQLite(join(dataDir, 'parley.db'));
  const secret = db.prepare(`select value from secrets where name = 'session'`).pluck().get();
  if (typeof secret !== 'string') throw new Error('the server has not been started on this folder');
  const signer = new Signer(secret);
  const now = Date.now();

  const insertUser = db.prepare(
    `insert into users (id, username, username_key, email, password_hash, language, volume, verified_at, created_at)
     values (@id, @name, @name, @id || '@bench.test', '', 'en', 'middle', @now, @now)`,
  );
  const insertSession = db.prepare(
    `insert into sessions (id, token_hash, user_id, device, created_at, last_seen_at, expires_at)
     values (@id, @hash, @user, 'bench', @now, @now, @expires)`,
  );
  const insertChatroom = db.prepare(
    `insert into chatrooms (id, pair_key, last_seq, last_rev, created_at) values (?, ?, ?, ?, ?)`,
  );
  const insertMember = db.prepare(
    `insert into chatroom_members (chatroom_id, user_id, read_seq) values (?, ?, ?)`,
  );
  const insertMessage = db.prepare(
    `insert into messages (id, chatroom_id, seq, rev, sender_id, kind, content, created_at, updated_at)
     values (?, ?, ?, ?, ?, 'text', ?, ?, ?)`,
  );
  const insertIndexed = db.prepare(
    `insert into search_rooms (number, chatroom_id, indexed_seq)
     select coalesce(max(number), 0) + 1, ?, ? from search_rooms`,
  );

  function createUser(): SeededUser {
    const id = randomUUID();
    const name = `u${id.replaceAll('-', '').slice(0, 16)}`;
    const token = randomBytes(24).toString('base64url');
    insertUser.run({ id, name, now });
    insertSession.run({
      id: randomUUID(),
      hash: createHash('sha256').update(token).digest('base64url'),
      user: id,
      now,
      expires: now + 86_400_000,
    });
    return { id, name, cookie: `parley.sid=${encodeURIComponent(signer.sign(token))}` };
  }

  function createChatroom(
    a: SeededUser,
    b: SeededUser,
    messageCount = 0,
    { textOf = defaultText, newestAt = now + messageCount, interval = 1 }: ChatroomOptions = {},
  ): string {
    const id = randomUUID();
    insertChatroom.run(
      id,
      [a.id, b.id].toSorted((x, y) => (x < y ? -1 : 1)).join(':'),
      messageCount,
      messageCount,
      now,
    );
    for (const member of [a, b]) insertMember.run(id, member.id, messageCount);
    for (let seq = 1; seq <= messageCount; seq++) {
      const sender = seq % 2 === 0 ? a.id : b.id;
      const at = newestAt - (messageCount - seq) * interval;
      insertMessage.run(randomUUID(), id, seq, seq, sender, textOf(seq), at, at);
    }
    return id;
  }

  /** Adds a reaction to each message of a chatroom, and makes every second one a reply. */
  function addRepliesAndReactions({ chatroomId, users: [user] }: SeededPair): void {
    const ids = db.prepare('select id from messages where chatroom_id = ? order by seq').pluck();
    const reply = db.prepare('update messages set reply_to_id = ? where id = ?');
    const react = db.prepare(
      `insert into reactions (message_id, user_id, emoji, created_at, withheld) values (?, ?, '👍', ?, 0)`,
    );
    let previous: unknown;
    for (const [index, id] of ids.all(chatroomId).entries()) {
      if (index % 2 === 1) reply.run(previous, id);
      react.run(id, user.id, now);
      previous = id;
    }
  }

  return {
    createUser,
    addRepliesAndReactions,
    /** Creates a chatroom with a number of messages. Returns its id. */
    createChatroom,
    /** Creates two users and their chatroom with a number of messages. */
    createPair(messageCount = 0, options: ChatroomOptions = {}): SeededPair {
      const users = [createUser(), createUser()] as const;
      return { chatroomId: createChatroom(users[0], users[1], messageCount, options), users };
    },
    /** Marks a chatroom as indexed forever, so that nothing of it is indexed during a measurement. */
    excludeFromSearch(chatroomId: string): void {
      insertIndexed.run(chatroomId, Number.MAX_SAFE_INTEGER);
    },
    /** Runs the inserts of a callback in one transaction. */
    transaction<T>(callback: () => T): T {
      return db.transaction(callback)();
    },
    close: () => db.close(),
  };
}
