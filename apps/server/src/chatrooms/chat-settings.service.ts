import { LIMITS, MUTED_ALWAYS, type ChatSettingsBody } from '@parley/contract';
import {
  compareViewedChats,
  findChatStates,
  findOwnChat,
  isArchived,
  lockChatroom,
  tellMemberChange,
  toViewedChat,
  type ChatStateRow,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { isQuietRequest } from '../relationships/relationship.ts';
import { Rollback, type Reader } from '../storage/storage.ts';
import type { ViewedChat } from '../viewed-message.ts';
import { findPinned, hasMessageAfter } from './chat-settings.repository.ts';
import { updateMember } from './consent.repository.ts';

// Settings belong to a membership. No function here changes the chatroom's revision or emits an event
// to the partner, and sending to an archived or muted chat is the same as to any other.

/**
 * Changes settings of a chat for the user, and tells the user's devices. Returns the state of the chat.
 * @throws {AppError} `invalid_request`, `room_not_found`, `partner_blocked`, `request_not_accepted`,
 * `partner_deleted`, `pin_limit`
 */
export function changeChatSettings(
  { storage }: Context,
  userId: string,
  chatroomId: string,
  body: ChatSettingsBody,
): Promise<ViewedChat> {
  const mutedUntil = parseMutedUntil(body.mutedUntil);
  return storage.write(
    async (write) => {
      const { trx } = write;
      await lockChatroom(trx, { chatroomId });
      const row = await findOwnChat(trx, userId, chatroomId);
      if (row.blocked_at !== null) throw new AppError('partner_blocked');
      if (isQuietRequest(row)) throw new AppError('request_not_accepted');
      const next = {
        ...decidePlace(row, body, await findArchivedSeq(trx, userId, row, body)),
        muted_until: mutedUntil === undefined ? row.muted_until : mutedUntil,
        is_marked_unread: toColumn(body.isMarkedUnread) ?? row.is_marked_unread,
      };
      if (isSame(row, next)) return new Rollback(toViewedChat(row));
      const isNewPin = next.is_pinned > row.is_pinned;
      const rank = isNewPin ? { pin_rank: await findNewRank(trx, userId, row) } : {};
      // The pin of a chat that is not listed would count, and nothing could take it back.
      const listed = isNewPin ? { is_removed: 0 } : {};
      await updateMember(trx, chatroomId, userId, { ...next, ...rank, ...listed });
      // A message after `archivedSeq` takes the chat out of the archive at once.
      return (await tellMemberChange(write, { chatroomId, userId })) ?? toViewedChat(row);
    },
    // Pins of two devices wait for each other, so that each counts those of the other.
    { isConcurrent: body.isPinned !== true },
  );
}

/**
 * Sorts the pinned chats of a user as given, and tells the user's devices. Ignores chats that are not pinned. Those that
 * are not given, such as one that another device has just pinned, stay above the others. Returns all pinned chats.
 */
export function orderPinnedChats(
  { storage }: Context,
  userId: string,
  chatroomIds: readonly string[],
): Promise<ViewedChat[]> {
  // Waits for pins and other orders, so that the last one decides about the whole list.
  return storage.write(async (write) => {
    const { trx } = write;
    const ids = (await findPinned(trx, userId)).map(({ chatroom_id: id }) => id);
    for (const chatroomId of ids) await lockChatroom(trx, { chatroomId });
    // Another device may have blocked a partner before the lock.
    const rows = (await findChatStates(trx, ids, userId)).filter(
      ({ is_pinned: isPinned, blocked_at: blockedAt }) => isPinned === 1 && blockedAt === null,
    );
    const ranks = new Map(rows.map(({ id, pin_rank: rank }) => [id, rank]));
    const places = new Map(chatroomIds.map((id, index) => [id, index]));
    const placeOf = ({ chatId }: ViewedChat): number => places.get(chatId) ?? -1;
    const ordered = rows
      .map((row) => toViewedChat(row))
      .toSorted(compareViewedChats)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    let hasChanged = false;
    const chats: ViewedChat[] = [];
    for (const [index, chat] of ordered.entries()) {
      const { chatId: chatroomId } = chat;
      const rank = ordered.length - index;
      if (ranks.get(chatroomId) === rank) chats.push(chat);
      else {
        hasChanged = true;
        await updateMember(trx, chatroomId, userId, { pin_rank: rank });
        chats.push((await tellMemberChange(write, { chatroomId, userId })) ?? chat);
      }
    }
    return hasChanged ? chats : new Rollback(chats);
  });
}

/** Returns up to which `seq` messages are archived. Later ones take the chat out of the archive. */
async function findArchivedSeq(
  db: Reader,
  userId: string,
  row: ChatStateRow,
  { isArchived: shouldArchive, archivedSeq = row.last_seq }: ChatSettingsBody,
): Promise<number> {
  // Messages until now stay archived, even if they were muted and the mute ends.
  if (shouldArchive !== true || isArchived(row) || archivedSeq >= row.last_seq) return row.last_seq;
  // Clients know nothing of messages that were deleted, and these must not prevent the archiving.
  const hasNews = await hasMessageAfter(db, row.id, userId, archivedSeq);
  return hasNews ? archivedSeq : row.last_seq;
}

/** Pinning takes a chat out of the archive, and archiving unpins it. */
function decidePlace(
  row: ChatStateRow,
  { isPinned, isArchived: shouldArchive }: ChatSettingsBody,
  archivedSeq: number,
): Pick<ChatStateRow, 'is_pinned' | 'archived_seq'> {
  if (isPinned === true && shouldArchive === true) throw new AppError('invalid_request');
  const willBeArchived = isPinned === true ? false : (shouldArchive ?? isArchived(row));
  return {
    is_pinned: willBeArchived ? 0 : (toColumn(isPinned) ?? row.is_pinned),
    archived_seq: willBeArchived ? archivedSeq : null,
  };
}

function toColumn(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

type Settings = Pick<
  ChatStateRow,
  'is_pinned' | 'archived_seq' | 'muted_until' | 'is_marked_unread'
>;

function isSame(row: ChatStateRow, next: Settings): boolean {
  return (
    row.is_pinned === next.is_pinned &&
    isArchived(row) === (next.archived_seq !== null) &&
    row.muted_until === next.muted_until &&
    row.is_marked_unread === next.is_marked_unread
  );
}

/** Returns the rank of a chat that the user pins: above all others. */
async function findNewRank(db: Reader, userId: string, row: ChatStateRow): Promise<number> {
  if (row.partner_name === null) throw new AppError('partner_deleted');
  const pinned = await findPinned(db, userId);
  if (pinned.length >= LIMITS.pinnedChatsMax) throw new AppError('pin_limit');
  return Math.max(0, ...pinned.map(({ pin_rank: rank }) => rank)) + 1;
}

/** @throws {AppError} `invalid_request` */
function parseMutedUntil(value: string | null | undefined): number | null | undefined {
  if (value === undefined || value === null) return value;
  const time = Date.parse(value);
  if (!(time >= 0 && time <= Date.parse(MUTED_ALWAYS))) throw new AppError('invalid_request');
  return time;
}
