import { LIMITS, MUTED_ALWAYS, type ChatSettingsBody } from '@parley/contract';
import {
  findChatState,
  isArchived,
  lockChatroom,
  tellMemberChange,
  toViewedChat,
  type ChatStateRow,
} from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { hasChatroom, isQuietRequest } from '../relationships/relationship.ts';
import { Rollback, type Reader } from '../storage/storage.ts';
import type { ViewedChat } from '../viewed-message.ts';
import { countPinned, hasMessageAfter } from './chat-settings.repository.ts';
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
      const row = await findChatState(trx, { chatroomId, userId });
      if (row === undefined || !hasChatroom(row)) throw new AppError('room_not_found');
      if (row.blocked_at !== null) throw new AppError('partner_blocked');
      if (isQuietRequest(row)) throw new AppError('request_not_accepted');
      const next = {
        ...decidePlace(row, body, await findArchivedSeq(trx, userId, row, body)),
        muted_until: mutedUntil === undefined ? row.muted_until : mutedUntil,
        is_marked_unread: toColumn(body.isMarkedUnread) ?? row.is_marked_unread,
      };
      if (isSame(row, next)) return new Rollback(toViewedChat(row));
      if (next.is_pinned > row.is_pinned) await assertMayPin(trx, userId, row);
      await updateMember(trx, chatroomId, userId, next);
      // A message after `archivedSeq` takes the chat out of the archive at once.
      return (await tellMemberChange(write, { chatroomId, userId })) ?? toViewedChat(row);
    },
    // Pins of two devices wait for each other, so that each counts those of the other.
    { isConcurrent: body.isPinned !== true },
  );
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

async function assertMayPin(db: Reader, userId: string, row: ChatStateRow): Promise<void> {
  if (row.partner_name === null) throw new AppError('partner_deleted');
  if ((await countPinned(db, userId)) >= LIMITS.pinnedChatsMax) throw new AppError('pin_limit');
}

/** @throws {AppError} `invalid_request` */
function parseMutedUntil(value: string | null | undefined): number | null | undefined {
  if (value === undefined || value === null) return value;
  const time = Date.parse(value);
  if (!(time >= 0 && time <= Date.parse(MUTED_ALWAYS))) throw new AppError('invalid_request');
  return time;
}
