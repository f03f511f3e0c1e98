import type { Tables } from './tables/index.ts';

/** How a column stores its values. Booleans are integers. */
type ColumnKind = 'text' | 'integer' | 'blob';

/**
 * All columns of all tables. A table comes after those that it references, and `media_usage` after
 * `media`, whose triggers change it.
 */
const COLUMNS: {
  readonly [Name in keyof Tables]: Readonly<Record<keyof Tables[Name], ColumnKind>>;
} = {
  users: {
    id: 'text',
    username: 'text',
    username_key: 'text',
    email: 'text',
    password_hash: 'text',
    language: 'text',
    volume: 'text',
    verified_at: 'integer',
    created_at: 'integer',
    ended_at: 'integer',
    who_may_write: 'text',
    is_discoverable: 'integer',
    suspended_at: 'integer',
    shares_receipts: 'integer',
    shares_typing: 'integer',
    shares_presence: 'integer',
    last_seen_at: 'integer',
    device_epoch: 'text',
  },
  account_keys: {
    user_id: 'text',
    purpose: 'text',
    hash: 'text',
    expires_at: 'integer',
    tries_left: 'integer',
  },
  username_skeletons: { skeleton: 'text', user_id: 'text', version: 'text' },
  sessions: {
    id: 'text',
    token_hash: 'text',
    user_id: 'text',
    device: 'text',
    created_at: 'integer',
    last_seen_at: 'integer',
    expires_at: 'integer',
  },
  ended_sessions: { token_hash: 'text', reason: 'text', ended_at: 'integer' },
  chatrooms: {
    id: 'text',
    pair_key: 'text',
    last_seq: 'integer',
    last_rev: 'integer',
    created_at: 'integer',
  },
  chatroom_members: {
    chatroom_id: 'text',
    user_id: 'text',
    read_seq: 'integer',
    consent: 'text',
    blocked_at: 'integer',
    cleared_seq: 'integer',
    block_start_seq: 'integer',
    block_end_seq: 'integer',
    delivered_seq: 'integer',
    seen_seq: 'integer',
    reaction_message_id: 'text',
    reaction_emoji: 'text',
    reaction_at: 'integer',
    reaction_seq: 'integer',
    is_pinned: 'integer',
    archived_seq: 'integer',
    muted_until: 'integer',
    is_marked_unread: 'integer',
    settings_version: 'integer',
    is_quiet: 'integer',
    former_delivered_seq: 'integer',
    former_seen_seq: 'integer',
  },
  media: {
    id: 'text',
    owner_id: 'text',
    kind: 'text',
    mime: 'text',
    size: 'integer',
    file: 'text',
    width: 'integer',
    height: 'integer',
    created_at: 'integer',
    inspected_rules: 'integer',
    is_blocked: 'integer',
    duration_ms: 'integer',
    peaks: 'blob',
  },
  messages: {
    id: 'text',
    chatroom_id: 'text',
    seq: 'integer',
    rev: 'integer',
    sender_id: 'text',
    kind: 'text',
    content: 'text',
    media_id: 'text',
    client_id: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    deleted_at: 'integer',
    withheld: 'integer',
    album_id: 'text',
    is_forwarded: 'integer',
    reply_to_id: 'text',
  },
  reactions: {
    message_id: 'text',
    user_id: 'text',
    emoji: 'text',
    created_at: 'integer',
    withheld: 'integer',
  },
  search_rooms: { number: 'integer', chatroom_id: 'text', indexed_seq: 'integer' },
  search_blocks: { id: 'integer', text: 'text', kinds: 'integer', is_outdated: 'integer' },
  search_trigrams: { segment: 'integer', trigram: 'text', early: 'integer', late: 'integer' },
  notification_settings: {
    user_id: 'text',
    version: 'integer',
    content: 'text',
    quiet_from: 'text',
    quiet_to: 'text',
    quiet_zone: 'text',
    quiet_only_sound: 'integer',
    paused_until: 'integer',
  },
  push_subscriptions: {
    session_id: 'text',
    user_id: 'text',
    endpoint: 'text',
    p256dh: 'text',
    auth: 'text',
    site: 'text',
    created_at: 'integer',
    seen_at: 'integer',
    succeeded_at: 'integer',
    failing_since: 'integer',
  },
  push_queue: {
    id: 'text',
    session_id: 'text',
    chatroom_id: 'text',
    kind: 'text',
    since: 'integer',
    latest: 'integer',
    created_at: 'integer',
    due_at: 'integer',
    attempts: 'integer',
  },
  push_shown: { session_id: 'text', chatroom_id: 'text', seq: 'integer' },
  outgoing_mails: {
    id: 'text',
    user_id: 'text',
    purpose: 'text',
    key: 'text',
    attempts: 'integer',
    next_attempt_at: 'integer',
    expires_at: 'integer',
    created_at: 'integer',
  },
  secrets: { name: 'text', value: 'text' },
  invitations: {
    id: 'text',
    code_hash: 'text',
    note: 'text',
    uses_left: 'integer',
    created_at: 'integer',
    expires_at: 'integer',
    inviter_id: 'text',
  },
  introductions: { user_id: 'text', inviter_id: 'text' },
  message_counts: { user_id: 'text', day: 'integer', sent: 'integer' },
  request_counts: { user_id: 'text', hour: 'integer', messages: 'integer', rooms: 'integer' },
  reports: {
    id: 'text',
    created_at: 'integer',
    closed_at: 'integer',
    reporter_id: 'text',
    reported_id: 'text',
    reason: 'text',
    comment: 'text',
  },
  report_messages: {
    id: 'text',
    report_id: 'text',
    position: 'integer',
    sent_at: 'integer',
    updated_at: 'integer',
    kind: 'text',
    content: 'text',
    mime: 'text',
  },
  report_file_parts: { report_message_id: 'text', part: 'integer', data: 'blob' },
  heartbeat: { id: 'integer', at: 'integer' },
  erasures: { id: 'integer', kind: 'text', subject: 'text' },
  media_usage: { id: 'integer', files: 'integer', bytes: 'integer' },
};

/** A table that is copied between engines. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

/** All tables, in an order in which their rows can be inserted. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.entries(COLUMNS).map(
  ([name, columns]) => ({
    name,
    columns: Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
  }),
);

/** Returns the names of a table's columns as a list in SQL. */
export function columnList({ columns }: CopiedTable): string {
  return columns.map(({ name }) => name).join(', ');
}
