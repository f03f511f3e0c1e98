import { LIMITS, MUTED_ALWAYS, type ChatSettings, type ChatSettingsBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { isQuietRequest } from '../relationships/relationship.ts';
import { Rollback, type Reader, type WriteContext } from '../storage/storage.ts';
import { countPinned, hasMessageAfter } from './chat-settings.repository.ts';
import { isArchived, toSettings } from './chat-settings.wire.ts';
import { findMembership, lockChatroom, type MembershipRow } from './chatroom.repository.ts';
import { updateMember, type MemberChange } from './consent.repository.ts';

// Settings belong to a membership. No function here changes the chatroom's revision or emits an event
// to the partner, and sending to an archived or muted chat is the same as to any other.

/**
 * Changes settings of a chat for the user, and notifies the user's devices. Returns all settings of
 * the chat.
 * @throws {AppError} `invalid_request`, `room_not_found`, `partner_blocked`, `request_not_accepted`,
 * `partner_deleted`, `pin_limit`
 */
export function changeChatSettings(
  { storage }: Context,
  userId: string,
  chatroomId: string,
  body: ChatSettingsBody,
): Promise<ChatSettings> {
  const mutedUntil = parseMutedUntil(body.mutedUntil);
  return storage.write(
    async (write) => {
      const { trx } = write;
      await lockChatroom(trx, { chatroomId });
      const row = await findMembership(trx, { chatroomId, userId });
      if (row === undefined) throw new AppError('room_not_found');
      if (row.blocked_at !== null) throw new AppError('partner_blocked');
      if (isQuietRequest(row)) throw new AppError('request_not_accepted');
      const next = {
        ...row,
        ...decidePlace(row, body, await findArchivedSeq(trx, userId, row, body)),
        muted_until: mutedUntil === undefined ? row.muted_until : mutedUntil,
        is_marked_unread: toColumn(body.isMarkedUnread) ?? row.is_marked_unread,
      };
      if (isSame(row, next)) return new Rollback(toSettings(row));
      if (next.is_pinned > row.is_pinned) await assertMayPin(trx, userId, row);
      return saveSettings(write, userId, next);
    },
    // Pins of two devices wait for each other, so that each counts those of the other.
    { isConcurrent: body.isPinned !== true },
  );
}

/** Clears the mark of a chat as unread within a write that has locked the chatroom. */
export async function clearUnreadMark(
  write: WriteContext,
  userId: string,
  row: MembershipRow,
): Promise<void> {
  await saveSettings(write, userId, { ...row, is_marked_unread: 0 });
}

/** Returns up to which `seq` messages are archived. Later ones take the chat out of the archive. */
async function findArchivedSeq(
  db: Reader,
  userId: string,
  row: MembershipRow,
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
  row: MembershipRow,
  { isPinned, isArchived: shouldArchive }: ChatSettingsBody,
  archivedSeq: number,
): Pick<MembershipRow, 'is_pinned' | 'archived_seq'> {
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

function isSame(row: MembershipRow, next: MembershipRow): boolean {
  return (
    row.is_pinned === next.is_pinned &&
    isArchived(row) === (next.archived_seq !== null) &&
    row.muted_until === next.muted_until &&
    row.is_marked_unread === next.is_marked_unread
  );
}

async function assertMayPin(db: Reader, userId: string, row: MembershipRow): Promise<void> {
  if (row.partner_name === null) throw new AppError('partner_deleted');
  if ((await countPinned(db, userId)) >= LIMITS.pinnedChatsMax) throw new AppError('pin_limit');
}

async function saveSettings(
  { trx, emit }: WriteContext,
  userId: string,
  next: MembershipRow,
): Promise<ChatSettings> {
  const change = {
    is_pinned: next.is_pinned,
    archived_seq: next.archived_seq,
    muted_until: next.muted_until,
    is_marked_unread: next.is_marked_unread,
    settings_version: next.settings_version + 1,
  } satisfies MemberChange;
  await updateMember(trx, next.id, userId, change);
  // A message after `archivedSeq` takes the chat out of the archive at once.
  const saved = await findMembership(trx, { chatroomId: next.id, userId });
  if (saved === undefined) throw new AppError('room_not_found');
  const settings = toSettings(saved);
  emit({ type: 'chat-settings', userId, chatroomId: next.id, settings });
  return settings;
}

/** @throws {AppError} `invalid_request` */
function parseMutedUntil(value: string | null | undefined): number | null | undefined {
  if (value === undefined || value === null) return value;
  const time = Date.parse(value);
  if (!(time >= 0 && time <= Date.parse(MUTED_ALWAYS))) throw new AppError('invalid_request');
  return time;
}
