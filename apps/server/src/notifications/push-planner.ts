import { LIMITS, quietnessAt } from '@parley/contract';
import { toLanguage } from '@parley/texts';
import { createBoundedCache } from '../bounded-cache.ts';
import { isWithin } from '../scheduling/is-within.ts';
import { isQuietRequest, isReceiving } from '../relationships/relationship.ts';
import type { Reader } from '../storage/storage.ts';
import type { ViewTracker } from './view-tracker.ts';
import { toNotificationSettings } from './notification-settings.service.ts';
import { createPushContent, type PushSubject } from './push-content.ts';
import type { DuePush } from './push-queue.repository.ts';
import { findReadChatrooms, findShown } from './shown-push.repository.ts';
import { countUnread, findNews, isListed } from './unread.repository.ts';
import { createShownReactions } from './shown-reactions.ts';
import {
  ATTEMPTS_MAX,
  IN_VIEW_MAX,
  EXPIRES_AFTER,
  PER_MINUTE_MAX,
  READ_DELAY,
  ROOM_INTERVAL,
} from './push-times.ts';

/** What to do with a queued notification. */
export type PushPlan =
  | { readonly action: 'discard' }
  | { readonly action: 'wait'; readonly until: number }
  | { readonly action: 'send'; readonly message: PlannedMessage };

/** A notification to send. */
export interface PlannedMessage {
  readonly json: Buffer;
  readonly isUrgent: boolean;
  /** `seq` of the newest message that the device shows; undefined for reactions and invitations. */
  readonly seq: number | undefined;
  /** Chatrooms whose notifications the device closes. */
  readonly read: readonly string[];
}

/** Decides which queued notifications are sent. */
export interface PushPlanner {
  /** Decides by what is true now. Reads from the database what the message contains. */
  plan(db: Reader, row: DuePush, now: number): Promise<PushPlan>;
  /** Returns when the limits of the device and the chatroom allow to send a notification. */
  allowedAt(row: DuePush, now: number): number;
  /** Records for these limits that a notification is being sent. */
  recordSending(row: DuePush, now: number): void;
  /** Records that a device shows a notification, and closes others. */
  recordShown(row: DuePush, message: PlannedMessage): void;
}

const DISCARD: PushPlan = { action: 'discard' };
const MINUTE = 60_000;
/** Number of devices and chatrooms with a limit in memory. */
const LIMITED_MAX = 20_000;

/** Creates a planner. */
export function createPushPlanner(views: ViewTracker): PushPlanner {
  /** When the latest notification of a chatroom was sent to a device. */
  const rooms = createBoundedCache<string, number>(LIMITED_MAX);
  /** When the notifications of the last minute were sent to a device. */
  const devices = createBoundedCache<string, readonly number[]>(LIMITED_MAX);
  const reactions = createShownReactions(views);

  function allowedAt(row: DuePush, now: number): number {
    const sentAt = rooms.get(chatroomKey(row));
    const chatroomAt = isWithin(sentAt, ROOM_INTERVAL, now) ? sentAt + ROOM_INTERVAL : 0;
    const recent = sentWithinMinute(row, now);
    const deviceAt = recent.length < PER_MINUTE_MAX ? 0 : (recent[0] ?? 0) + MINUTE;
    return Math.max(chatroomAt, deviceAt);
  }

  function sentWithinMinute(row: DuePush, now: number): readonly number[] {
    return (devices.get(row.session_id) ?? []).filter((at) => isWithin(at, MINUTE, now));
  }

  async function findRead(db: Reader, row: DuePush): Promise<string[]> {
    const read = await findReadChatrooms(db, row.session_id);
    const seen = reactions.findSeen(row.session_id, row.user_id);
    if (seen.length === 0) return read;
    // The device closes both notifications of a chatroom, so that of unread messages has to be none.
    const shown = await findShown(db, row.session_id, seen);
    return [...read, ...seen.filter((id) => !shown.has(id))].slice(0, LIMITS.pushReadMax);
  }

  async function plan(db: Reader, row: DuePush, now: number): Promise<PushPlan> {
    const settings = toNotificationSettings(row);
    const quietness = quietnessAt(settings, now);
    if (!isWanted(row, now) || quietness === 'all') return DISCARD;
    if (views.isInView(row.user_id, row.chatroom_id)) {
      // It is read within seconds, unless the device has lost its connection.
      if (now >= row.created_at + IN_VIEW_MAX) return DISCARD;
      return { action: 'wait', until: now + READ_DELAY };
    }
    const allowed = allowedAt(row, now);
    if (allowed > now) return { action: 'wait', until: allowed };
    const subject = await findSubject(db, row);
    if (subject === undefined || row.partner_name === null) return DISCARD;
    const isSilent = quietness === 'sound' || row.volume === 'silent';
    const { json, read } = createPushContent(
      {
        language: toLanguage(row.language),
        username: row.username,
        site: row.site,
        content: settings.content,
        isSilent,
        unread: await countUnread(db, row.user_id, now),
        read: (await findRead(db, row)).filter((id) => id !== row.chatroom_id),
      },
      row.chatroom_id,
      row.partner_name,
      subject,
    );
    const isUrgent = subject.type !== 'reaction' && !isSilent;
    const seq = 'seq' in subject && subject.type !== 'reaction' ? subject.seq : undefined;
    return { action: 'send', message: { json, isUrgent, seq, read } };
  }

  return {
    plan,
    allowedAt,
    recordSending(row, now) {
      rooms.set(chatroomKey(row), now);
      devices.set(row.session_id, [...sentWithinMinute(row, now), now]);
    },
    recordShown(row, { read }) {
      reactions.remove(row.session_id, read);
      if (row.kind === 'message') return;
      reactions.add(row.session_id, row.chatroom_id, performance.now());
    },
  };
}

function chatroomKey({ session_id: sessionId, chatroom_id: chatroomId, kind }: DuePush): string {
  return `${sessionId}:${chatroomId}:${kind}`;
}

/** Returns whether the user may still be notified: nothing has changed that forbids it. */
function isWanted(row: DuePush, now: number): boolean {
  return (
    row.session_expires_at > now &&
    row.suspended_at === null &&
    row.attempts < ATTEMPTS_MAX &&
    row.created_at + EXPIRES_AFTER > now &&
    isReceiving(row) &&
    (row.muted_until ?? 0) <= now
  );
}

/** Returns what the notification is about. Undefined if it was read, deleted or taken back meanwhile. */
async function findSubject(db: Reader, row: DuePush): Promise<PushSubject | undefined> {
  if (row.kind !== 'message') {
    // Unlike a message, neither takes a chat out of the archive.
    if (!(await isListed(db, row.user_id, row.chatroom_id))) return undefined;
    return row.kind === 'reaction' ? findReaction(row) : findInvitation(db, row);
  }
  // A message may have been in a notification before it was queued itself.
  const since = Math.max(row.since, (row.shown_seq ?? 0) + 1);
  const { user_id: userId, chatroom_id: chatroomId } = row;
  const news = await findNews(db, { userId, chatroomId, since });
  if (news === undefined) return undefined;
  const { seq, kind, content: text, unread } = news;
  if (!isQuietRequest(row)) return { type: 'message', seq, kind, text, unread };
  // Users are notified of a request once.
  return news.earlier === 0 ? { type: 'request', seq } : undefined;
}

/** The mark as unread ends once the user has opened the chat. The notification of a message tells more. */
async function findInvitation(db: Reader, row: DuePush): Promise<PushSubject | undefined> {
  const { invitation_accepted_at: at, is_marked_unread: isMarked, since } = row;
  if (at === null || at < since || isMarked !== 1) return undefined;
  const { user_id: userId, chatroom_id: chatroomId } = row;
  const news = await findNews(db, { userId, chatroomId, since: 0 });
  return news === undefined ? { type: 'invitation' } : undefined;
}

function findReaction(row: DuePush): PushSubject | undefined {
  const { reaction_emoji: emoji, reaction_at: at, reacted_seq: seq, reacted_kind: kind } = row;
  if (emoji === null || at === null || at < row.since || seq === null || kind === null) {
    return undefined;
  }
  return { type: 'reaction', seq, kind, text: row.reacted_content ?? '', emoji };
}
