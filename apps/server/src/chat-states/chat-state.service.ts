import {
  compareChats,
  cutExcerpt,
  LIMITS,
  type ChatSettings,
  type ChatSortKey,
  type ChatState,
  type ChatStatus,
  type LastReaction,
  type MessageKind,
} from '@parley/contract';
import { AppError } from '../errors/app-error.ts';
import {
  hasChatroom,
  isQuietRequest,
  isSentAsRequest,
  isToldReceipts,
} from '../relationships/relationship.ts';
import type { Reader, Storage, WriteContext } from '../storage/storage.ts';
import { toContent, toTimestamp, type ViewedChat } from '../viewed-message.ts';
import {
  advanceMember,
  findChatState,
  findToldState,
  lockChatroom,
  type ChatStateRow,
} from './chat-state.repository.ts';

export {
  findChatState,
  findChatStates,
  listChatStates,
  lockChatroom,
  type ChatStateRow,
} from './chat-state.repository.ts';

/**
 * Finds a chatroom that the user is a member of and has not declined.
 * @throws {AppError} `room_not_found`
 */
export async function findOwnChat(
  db: Reader,
  userId: string,
  chatroomId: string,
): Promise<ChatStateRow> {
  const row = await findChatState(db, { chatroomId, userId });
  if (row === undefined || !hasChatroom(row)) throw new AppError('room_not_found');
  return row;
}

/** Whom to tell the new state of a chat. */
interface Told {
  readonly chatroomId: string;
  readonly userId: string;
  /** Whether the user is told at all. It is read in any case, so that the caller cannot notice by the time it takes. */
  readonly isTold?: boolean;
  /** Whether new messages of the partner are withheld from the user. Those are read then, if the user is not told. */
  readonly isWithheld?: boolean;
}

/**
 * Tells the devices of a user the state of a chat after it has changed for the user only. The write must have
 * locked the chatroom, so that revisions and states have the same order. Returns the state.
 */
export async function tellMemberChange(
  write: WriteContext,
  told: Told,
): Promise<ViewedChat | undefined> {
  const { chatroomId, userId, isTold = true } = told;
  await advanceMember(write.trx, { chatroomId, userId, step: isTold ? 1 : 0 });
  return tellChat(write, told);
}

/** Like {@link tellMemberChange}, after a change that has a new revision of the chatroom. */
export async function tellChat(
  { trx, emit }: WriteContext,
  { chatroomId, userId, isTold = true, isWithheld = false }: Told,
): Promise<ViewedChat | undefined> {
  const withheld = !isTold && isWithheld ? 1 : 0;
  const row = await findToldState(trx, { chatroomId, userId, withheld });
  if (row === undefined || !isTold) return undefined;
  const chat = toViewedChat(row);
  emit({ type: 'chat-changed', userId, chat });
  return chat;
}

/** Number of chats whose states are read per write, so that it delays messages of users only briefly. */
const CHATS_PER_WRITE = 10;

/** Tells several users the states of chats, as {@link tellChat} or {@link tellMemberChange} does. */
export async function tellChats(
  storage: Pick<Storage, 'write'>,
  chats: readonly Told[],
  tell: typeof tellChat,
): Promise<void> {
  // In the order of their rows, so that the writes of two servers do not wait for each other.
  const sorted = chats.toSorted((a, b) => (a.chatroomId < b.chatroomId ? -1 : 1));
  for (let i = 0; i < sorted.length; i += CHATS_PER_WRITE) {
    await storage.write(
      async (write) => {
        for (const told of sorted.slice(i, i + CHATS_PER_WRITE)) {
          await lockChatroom(write.trx, told);
          await tell(write, told);
        }
      },
      { isConcurrent: true },
    );
  }
}

/** Compares chats for sorting, as they are in the chat list. */
export function compareViewedChats(a: ViewedChat, b: ViewedChat): number {
  return compareChats(toSortKey(a), toSortKey(b));
}

function toSortKey({ chatId, isDeletedAccount, activeAt, settings = {} }: ViewedChat): ChatSortKey {
  const { isPinned = false, pinRank = 0 } = settings;
  return { id: chatId, isDeleted: isDeletedAccount, isPinned, pinRank, activeAt };
}

/** Converts a chatroom to what its member sees. */
export function toViewedChat(row: ChatStateRow): ViewedChat {
  const { seq, kind, content, sender_id: sender, file, partner_name: partnerName } = row;
  const settings = toSettings(row);
  return {
    chatId: row.id,
    rev: row.last_rev,
    memberRev: row.member_rev,
    usernames: partnerName === null ? [] : [partnerName],
    isDeletedAccount: partnerName === null,
    status: toStatus(row),
    ...(isSentAsRequest(row) && row.partner_id !== null && { isSentAsRequest: true }),
    lastMessage:
      seq === null || kind === null || content === null || sender === null
        ? null
        : { content: toContent({ content, file }), sender, kind, seq },
    currentUserId: row.user_id,
    timestamps: row.sent_at === null ? [] : [toTimestamp(row.sent_at)],
    activeAt: toTimestamp(row.active_at ?? row.sent_at ?? row.created_at),
    ...toReactionField(row),
    unreadMessagesCount: row.unread,
    readSeq: row.read_seq,
    ...(row.cleared_seq > 0 && { clearedSeq: row.cleared_seq }),
    ...(row.own_cleared_seq > 0 && { ownClearedSeq: row.own_cleared_seq }),
    ...(row.is_removed === 1 && { isRemoved: true }),
    ...toReceiptFields(row),
    ...toInvitationField(row),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function toStatus(member: ChatStateRow): ChatStatus {
  if (member.blocked_at !== null) return 'blocked';
  if (member.consent === 'requested') return isQuietRequest(member) ? 'request' : 'undecided';
  return member.consent === 'accepted' ? 'accepted' : 'none';
}

/** Returns the partner's positions, if the member is told them. */
function toReceiptFields(
  row: ChatStateRow,
): Pick<ChatState, 'partnerDeliveredSeq' | 'partnerReadSeq'> {
  const { partner_delivered_seq: delivered, partner_seen_seq: seen } = row;
  if (!isToldReceipts(row) || delivered === 0) return {};
  return { partnerDeliveredSeq: delivered, partnerReadSeq: seen };
}

/** Returns when the partner, unless deleted, accepted an invitation of the member. */
function toInvitationField(row: ChatStateRow): Pick<ChatState, 'invitationAcceptedAt'> {
  const { invitation_accepted_at: at, partner_name: partnerName } = row;
  return at === null || partnerName === null ? {} : { invitationAcceptedAt: toTimestamp(at) };
}

/** Returns whether a chat is archived: the partner has sent no message since that was not muted. */
export function isArchived(
  row: Pick<ChatStateRow, 'archived_seq' | 'message_after_archiving_at' | 'muted_until'>,
): boolean {
  const { archived_seq: seq, message_after_archiving_at: at, muted_until: mutedUntil } = row;
  return seq !== null && (at === null || at <= (mutedUntil ?? 0));
}

/** Returns the settings of a chat. Chats of deleted accounts are last in the list, and not pinned. */
function toSettings(row: ChatStateRow): ChatSettings {
  const { muted_until: mutedUntil, partner_name: partner, pin_rank: pinRank } = row;
  return {
    ...(row.is_pinned === 1 && partner !== null && { isPinned: true, pinRank }),
    ...(isArchived(row) && { isArchived: true }),
    ...(mutedUntil !== null && { mutedUntil: toTimestamp(mutedUntil) }),
    ...(row.is_marked_unread === 1 && { isMarkedUnread: true }),
  };
}

/** Returns the partner's latest reaction, unless a message is newer. */
function toReactionField(row: ChatStateRow): Pick<ChatState, 'lastReaction'> {
  const { reaction_emoji: emoji, reaction_at: at, reaction_seq: seq } = row;
  const { reacted_id: id, reacted_kind: kind, reacted_content: content, seq: newest } = row;
  const isMissing = emoji === null || at === null || id === null || kind === null;
  if (row.partner_name === null || isMissing || (newest ?? 0) > (seq ?? 0)) return {};
  return {
    lastReaction: toLastReaction({ id, kind, content: content ?? '', emoji, reacted_at: at }),
  };
}

/** A reaction with the message that it refers to. */
export interface LastReactionRow {
  id: string;
  content: string;
  kind: MessageKind;
  emoji: string;
  reacted_at: number;
}

/** Converts a reaction to the format in which the chat list shows it. */
export function toLastReaction(row: LastReactionRow): LastReaction {
  return {
    messageId: row.id,
    emoji: row.emoji,
    content: cutExcerpt(row.content, LIMITS.reactionExcerpt),
    kind: row.kind,
    createdAt: toTimestamp(row.reacted_at),
  };
}
