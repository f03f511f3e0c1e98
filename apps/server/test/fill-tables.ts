import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { databaseFile } from '../src/storage/open.ts';
import { createDataFolder } from './create-data-folder.ts';

type Value = string | number | Buffer | null;

/** A text that copying might corrupt. */
export const DELICATE_TEXT = `NULL {"a",\\x00} 'b' \\N \r\n\t 👩‍👩‍👧 e\u0301 \u202E ﷽ ${'x'.repeat(5_000)}`;

/** More rows than are copied at once. */
const MESSAGES = 2_345;
const USERS = 3;

/** Creates a data folder with rows in all tables and media files, without a server. */
export async function createFilledFolder(dataDir: string): Promise<void> {
  mkdirSync(join(dataDir, 'media'), { recursive: true });
  await createDataFolder(dataDir);
  const sqlite = new SQLite(databaseFile(dataDir));
  const insert = (table: string, row: Record<string, Value>) => {
    const columns = Object.keys(row);
    const values = columns.map((column) => `@${column}`);
    sqlite.prepare(`insert into ${table} (${columns.join()}) values (${values.join()})`).run(row);
  };
  sqlite.transaction(() => {
    insertUsers(insert);
    const files = insertMedia(insert);
    for (const [file, bytes] of files) writeFileSync(join(dataDir, 'media', file), bytes);
    insertMessages(insert);
    insertSearchIndex(insert);
    insertPushes(insert);
    insertOthers(insert);
  })();
  sqlite.close();
}

type Insert = (table: string, row: Record<string, Value>) => void;

function insertUsers(insert: Insert): void {
  for (let i = 0; i < USERS; i += 1) {
    const id = `u${i}`;
    insert('users', {
      id,
      username: i === 0 ? DELICATE_TEXT : `Name ${i}`,
      username_key: i === 0 ? DELICATE_TEXT : `name ${i}`,
      email: `${id}@example.org`,
      password_hash: '$argon2id$v=19$m=19456,p=1,t=2$salt$hash',
      language: 'de',
      volume: 'full',
      verified_at: i === 2 ? null : Number.MAX_SAFE_INTEGER,
      created_at: -1,
      ended_at: i === 2 ? 0 : null,
      who_may_write: ['everyone', 'invited', 'nobody'][i] ?? 'everyone',
      is_discoverable: i === 1 ? 0 : 1,
      suspended_at: i === 1 ? 7 : null,
      shares_receipts: i === 1 ? 0 : 1,
      shares_typing: i === 0 ? 0 : 1,
      shares_presence: i === 2 ? 0 : 1,
      last_seen_at: i === 0 ? 60_000 : null,
      cleared_media_bytes: i === 0 ? 5_000 : 0,
    });
    insert('username_skeletons', { skeleton: 'same', user_id: id, version: '17.0.0' });
    if (i === 1) insert('email_clashes', { user_id: id, email: 'u0@example.org' });
    insert('email_changes', {
      user_id: id,
      email: 'new@example.org',
      key_hash: 'h',
      key_expires_at: 2 ** 52,
      tries_left: i,
    });
    insert('former_emails', {
      key_hash: `h${i}`,
      user_id: id,
      email: `former${i}@example.org`,
      stored_email: `former${i}@example.org.`,
      position: 1,
      expires_at: 2 ** 52,
    });
    insert('message_counts', { user_id: id, day: 20_000, sent: i });
    insert('request_counts', { user_id: id, hour: 480_000, messages: i, rooms: 1 });
    insert('sessions', {
      id: `s${i}`,
      token_hash: `hash ${i}`,
      user_id: id,
      device: i === 0 ? '' : DELICATE_TEXT,
      created_at: 1,
      last_seen_at: 2,
      expires_at: 2 ** 52,
    });
  }
  insert('account_keys', {
    user_id: 'u1',
    purpose: 'reset',
    hash: 'h',
    expires_at: 1,
    tries_left: 0,
  });
  for (let i = 0; i < 2; i += 1) {
    insert('registrations', {
      id: `n${i}`,
      email: 'new@example.org',
      username: DELICATE_TEXT,
      skeleton: 'same',
      folded_skeleton: DELICATE_TEXT,
      password_hash: '$argon2id$v=19$m=19456,t=2,p=1$salt$hash',
      language: 'de',
      inviter_id: i === 0 ? 'u0' : null,
      key_hash: 'h',
      key_expires_at: 2 ** 52,
      tries_left: i,
      created_at: 3,
    });
  }
}

/** Returns the content of the files. */
function insertMedia(insert: Insert): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let i = 0; i < 4; i += 1) {
    const id = randomUUID();
    const bytes = createHash('sha512').update(id).digest();
    const isAudio = i % 2 === 1;
    const file = `${id}.${isAudio ? 'webm' : 'png'}`;
    files.set(file, bytes);
    insert('media', {
      id: `f${i}`,
      owner_id: 'u0',
      kind: isAudio ? 'audio' : 'image',
      mime: isAudio ? 'audio/webm' : 'image/png',
      size: bytes.length,
      file,
      width: isAudio ? null : 4_000,
      height: isAudio ? null : 1,
      created_at: i,
      inspected_rules: i,
      is_blocked: i === 2 ? 1 : 0,
      duration_ms: isAudio ? 1_234 : null,
      peaks: [null, Buffer.from([0, 100, 92, 34, 255]), null, Buffer.alloc(0)][i] ?? null,
    });
  }
  return files;
}

function insertMessages(insert: Insert): void {
  insert('chatrooms', {
    id: 'r1',
    pair_key: 'u0:u1',
    last_seq: MESSAGES,
    last_rev: MESSAGES,
    created_at: 1,
  });
  for (const user of ['u0', 'u1']) {
    const isBlocking = user === 'u1';
    insert('chatroom_members', {
      chatroom_id: 'r1',
      user_id: user,
      read_seq: 5,
      consent: isBlocking ? 'requested' : 'accepted',
      blocked_at: isBlocking ? 2 ** 52 : null,
      cleared_seq: isBlocking ? 3 : 0,
      own_cleared_seq: isBlocking ? 2 : 0,
      is_removed: isBlocking ? 1 : 0,
      block_start_seq: isBlocking ? 4 : 0,
      block_end_seq: isBlocking ? 5 : 0,
      delivered_seq: isBlocking ? 4 : 3,
      seen_seq: isBlocking ? 2 : 3,
      reaction_message_id: isBlocking ? 'm1' : null,
      reaction_emoji: isBlocking ? '👩‍👩‍👧' : null,
      reaction_at: isBlocking ? 2 ** 52 : null,
      reaction_seq: isBlocking ? 7 : null,
      is_pinned: isBlocking ? 0 : 1,
      pin_rank: isBlocking ? 0 : 2,
      archived_seq: isBlocking ? 4 : null,
      muted_until: isBlocking ? 2 ** 52 : null,
      is_marked_unread: isBlocking ? 1 : 0,
      member_rev: isBlocking ? 3 : 1,
      former_delivered_seq: isBlocking ? 0 : 6,
      former_seen_seq: isBlocking ? 0 : 4,
      invitation_accepted_at: isBlocking ? null : 2 ** 52,
    });
  }
  for (let i = 1; i <= MESSAGES; i += 1) {
    const isDeleted = i % 7 === 0;
    insert('messages', {
      id: `m${i}`,
      chatroom_id: 'r1',
      seq: i,
      rev: i,
      sender_id: i % 5 === 0 ? null : `u${i % 2}`,
      kind: i <= 4 ? (i % 2 === 1 ? 'image' : 'audio') : 'text',
      content: isDeleted || i <= 4 ? '' : i % 100 === 1 ? DELICATE_TEXT : `message ${i}`,
      media_id: i <= 4 ? `f${i - 1}` : null,
      client_id: i % 3 === 0 ? null : `c${i}`,
      created_at: i,
      updated_at: i,
      deleted_at: isDeleted ? i : null,
      withheld: i % 11 === 0 ? 1 : 0,
      album_id: i % 9 === 0 ? `a${i}` : null,
      is_forwarded: i % 13 === 0 ? 1 : 0,
      reply_to_id: i % 7 === 1 && !isDeleted ? `m${Math.max(1, i - 4)}` : null,
    });
    if (i % 3 !== 0 || isDeleted) continue;
    insert('reactions', {
      message_id: `m${i}`,
      user_id: `u${i % 2}`,
      emoji: i % 2 === 0 ? ':circassia:' : '👩‍👩‍👧',
      created_at: 2 ** 52,
      withheld: i % 5 === 0 ? 1 : 0,
    });
  }
}

/** Inserts the index of the first 32 messages. */
function insertSearchIndex(insert: Insert): void {
  insert('search_rooms', { number: 1, chatroom_id: 'r1', indexed_seq: 32 });
  insert('search_blocks', {
    id: 67_108_864,
    text: DELICATE_TEXT,
    kinds: 3,
    is_outdated: 0,
  });
  insert('search_trigrams', { segment: 1_048_576, trigram: 'ﷺ a', early: 1, late: 0 });
}

function insertPushes(insert: Insert): void {
  insert('notification_settings', {
    user_id: 'u0',
    version: 2,
    content: 'whoAndWhat',
    quiet_from: '22:00',
    quiet_to: '07:00',
    quiet_zone: 'Europe/Berlin',
    quiet_only_sound: 1,
    paused_until: 2 ** 52,
  });
  insert('push_subscriptions', {
    session_id: 's0',
    user_id: 'u0',
    endpoint: 'https://push.example/one',
    p256dh: 'key',
    auth: 'secret',
    site: 'push.example',
    created_at: 1,
    seen_at: 2 ** 52,
    succeeded_at: null,
    failing_since: 3,
  });
  insert('push_queue', {
    id: 'p1',
    session_id: 's0',
    chatroom_id: 'r1',
    kind: 'message',
    since: 1,
    latest: 2,
    created_at: 3,
    due_at: 2 ** 52,
    attempts: 1,
  });
  insert('push_shown', { session_id: 's0', chatroom_id: 'r1', seq: 4 });
}

function insertOthers(insert: Insert): void {
  insert('ended_sessions', { token_hash: 'ended', reason: 'revoked', ended_at: 9 });
  for (const isVerified of [true, false]) {
    insert('outgoing_mails', {
      id: isVerified ? 'o1' : 'o2',
      user_id: isVerified ? 'u1' : null,
      registration_id: isVerified ? null : 'n1',
      email: isVerified ? 'former1@example.org' : null,
      purpose: isVerified ? 'reset' : 'verify',
      key: '123456',
      attempts: 3,
      next_attempt_at: 2 ** 52,
      expires_at: 2 ** 52,
      created_at: 0,
    });
  }
  insert('secrets', { name: 'session', value: 'ab'.repeat(32) });
  insert('invitations', {
    id: 'i1',
    code_hash: 'code',
    note: DELICATE_TEXT,
    uses_left: 0,
    created_at: 1,
    expires_at: 2,
    inviter_id: 'u0',
  });
  insertReports(insert);
  insert('exports', {
    id: 'x0',
    user_id: 'u0',
    chatroom_id: 'r1',
    language: 'de',
    time_zone: 'Europe/Berlin',
    status: 'ready',
    failure: null,
    attempts: 1,
    done: 2,
    total: 2,
    file: 'x0.zip',
    size: 22,
    created_at: 1,
    finished_at: 2,
  });
  insert('heartbeat', { id: 1, at: 5 });
  insert('erasures', { id: 41, kind: 'file', subject: 'gone.png' });
}

function insertReports(insert: Insert): void {
  for (let i = 0; i < 2; i += 1) {
    const id = `p${i}`;
    insert('reports', {
      id,
      created_at: 1,
      closed_at: i === 0 ? null : 2 ** 52,
      reporter_id: i === 0 ? 'u0' : null,
      reported_id: 'u1',
      reason: i === 0 ? 'harassment' : 'other',
      comment: i === 0 ? DELICATE_TEXT : '',
    });
    insert('report_messages', {
      id: `c${i}`,
      report_id: id,
      position: i,
      sent_at: 1,
      updated_at: 2,
      kind: i === 0 ? 'text' : 'image',
      content: i === 0 ? DELICATE_TEXT : '',
      mime: i === 0 ? null : 'image/png',
    });
  }
  for (let part = 0; part < 3; part += 1) {
    const data = Buffer.alloc(part === 2 ? 1 : 65_536, `part ${part} \u0000\\`);
    insert('report_file_parts', { report_message_id: 'c1', part, data });
  }
}
