import {
  compareChats,
  cutExcerpt,
  isTextual,
  LIMITS,
  type ChatSettings,
  type ChatSortKey,
  type ChatState,
  type ChatStatus,
  type LastReaction,
  type Message,
} from '@parley/contract';
import { hasFields, isBoolean, isNumber, isText, type FieldCheck } from '../api/responses.ts';

/** Returns whether a value describes the newest message of a chat, or is null as in an empty one. */
export const isLast: FieldCheck = (value) =>
  value === null ||
  hasFields(value, { content: isText, kind: isText, isOwn: isBoolean, seq: isNumber });

/** A chat as the user sees it, at a revision of its chatroom (`rev`) and one of the user's membership. */
export interface Chat extends ChatSortKey {
  /** Revision of the chatroom, of which the newest message, the reaction and the unread messages are. */
  rev: number;
  /** Revision of the membership, of which everything else is. */
  memberRev: number;
  /** The other participants. */
  names: readonly string[];
  status: ChatStatus;
  /** Present and true if the user's messages arrive as a quiet request, which the partner has not accepted. */
  isSentAsRequest?: boolean;
  last: {
    content: string;
    kind: string;
    isOwn: boolean;
    seq: number;
  } | null;
  /** Time of the newest message, ISO 8601, or null if there is none. */
  time: string | null;
  /** The partner's reaction to a message of the user, if no message is newer. */
  reaction?: LastReaction;
  unread: number;
  /** The user's read position. */
  readSeq: number;
  /** No message of the partner up to this `seq` exists for the user; 0 if all do. */
  clearedSeq: number;
  /** No own message up to this `seq` exists for the user, who has deleted the chat. */
  ownClearedSeq?: number;
  /** Present and true if the user has deleted the chat. It is not listed without messages then. */
  isRemoved?: true;
  /** Up to where the partner has received and read; null if the partner has told nothing. */
  receipt: PartnerReceipt | null;
  /** When the partner accepted an invitation of the user, ISO 8601. Missing if that never happened. */
  invitationAcceptedAt?: string;
  /** The user's settings of the chat on the server. */
  settings: ChatSettings;
}

/** Up to which `seq` messages have reached a device of the partner, and the partner has read them. */
export interface PartnerReceipt {
  readonly deliveredSeq: number;
  readonly readSeq: number;
}

/** Converts a chat of the server. */
export function toChat(state: ChatState): Chat {
  const { lastMessage: last, partnerDeliveredSeq: deliveredSeq, partnerReadSeq } = state;
  const { invitationAcceptedAt, ownClearedSeq } = state;
  const chat: Chat = {
    id: state.chatId,
    rev: state.rev,
    memberRev: state.memberRev,
    names: state.usernames,
    isDeleted: state.isDeletedAccount,
    status: state.status,
    ...(state.isSentAsRequest && { isSentAsRequest: true }),
    last: last && {
      content: last.content,
      kind: last.kind,
      isOwn: last.sender === state.currentUserId,
      seq: last.seq,
    },
    time: state.timestamps[0] ?? null,
    activeAt: state.activeAt,
    ...(state.lastReaction && { reaction: state.lastReaction }),
    unread: state.unreadMessagesCount,
    readSeq: state.readSeq,
    clearedSeq: state.clearedSeq ?? 0,
    ...(ownClearedSeq !== undefined && { ownClearedSeq }),
    ...(state.isRemoved && { isRemoved: true }),
    receipt: deliveredSeq === undefined ? null : { deliveredSeq, readSeq: partnerReadSeq ?? 0 },
    ...(invitationAcceptedAt !== undefined && { invitationAcceptedAt }),
    settings: {},
  };
  return withSettings(chat, state.settings ?? {});
}

/** Returns the chat with other settings. */
export function withSettings(chat: Chat, settings: ChatSettings): Chat {
  const { isPinned: _isPinned, pinRank: _pinRank, ...others } = chat;
  const isPinned = settings.isPinned === true && !chat.isDeleted;
  return { ...others, settings, ...(isPinned && { isPinned, pinRank: settings.pinRank ?? 0 }) };
}

/** Returns whether a chat is in the chat list: the user has neither blocked nor declined it. */
export function isInChatList({ status }: Pick<Chat, 'status'>): boolean {
  return status !== 'blocked' && status !== 'none';
}

/** Returns whether the user has deleted a chat that has no message since. */
export function isDeletedByUser({ isRemoved, last }: Pick<Chat, 'isRemoved' | 'last'>): boolean {
  return isRemoved === true && last === null;
}

/** Returns a chat as it is after the user has deleted it up to a position. */
export function withoutMessages(chat: Chat, seq: number): Chat {
  const { ownClearedSeq = 0, settings } = chat;
  const { isPinned: _isPinned, pinRank: _pinRank, isArchived: _isArchived, ...others } = settings;
  const { isMarkedUnread: _isMarkedUnread, ...kept } = others;
  const cleared: Chat = {
    ...chat,
    clearedSeq: Math.max(chat.clearedSeq, seq),
    ownClearedSeq: Math.max(ownClearedSeq, seq),
    isRemoved: true,
  };
  const counted = withUnread(withoutClearedLast(cleared), chat.unread, countedAfter(chat));
  // Only a user who has accepted the partner reads by deleting.
  return withSettings(chat.status === 'accepted' ? withRead(counted, seq) : counted, kept);
}

/** Returns the position up to which no message of either user exists for the current one. */
export function clearedFloor({
  clearedSeq = 0,
  ownClearedSeq = 0,
}: Partial<Pick<Chat, 'clearedSeq' | 'ownClearedSeq'>>): number {
  return Math.min(clearedSeq, ownClearedSeq);
}

/** Returns a chat without a newest message that no longer exists for the user. */
function withoutClearedLast(chat: Chat): Chat {
  return !chat.last || chat.last.seq > clearedFloor(chat) ? chat : withoutLast(chat);
}

/** Returns a chat without messages. */
export function withoutLast(chat: Chat): Chat {
  const { reaction: _reaction, ...others } = chat;
  return { ...others, last: null, time: null, unread: 0 };
}

/** Returns whether the user has not accepted the partner, who has written first. */
export function isUnaccepted({ status }: Pick<Chat, 'status'>): boolean {
  return status === 'request' || status === 'undecided';
}

/**
 * Returns whether the partner has accepted an invitation of the user since an earlier state of the chat, and the user
 * has not opened the chat since.
 */
export function isNewlyAccepted(
  before: Chat | undefined,
  { invitationAcceptedAt: at, settings }: Chat,
): boolean {
  return (
    at !== undefined && at !== before?.invitationAcceptedAt && settings.isMarkedUnread === true
  );
}

/** Returns when a mute ends, in UTC milliseconds; 0 without one, or if it cannot be read. */
export function muteEnd({ mutedUntil }: Pick<ChatSettings, 'mutedUntil'>): number {
  return Date.parse(mutedUntil ?? '') || 0;
}

/** The delivery state of an own message that the server has stored. */
export type DeliveryState = 'sent' | 'delivered' | 'read';

/** Returns the delivery state of an own message. */
export function deliveryOf(
  seq: number | undefined,
  receipt: PartnerReceipt | null | undefined,
): DeliveryState {
  if (seq === undefined || !receipt || seq > receipt.deliveredSeq) return 'sent';
  return seq > receipt.readSeq ? 'delivered' : 'read';
}

/**
 * Merges what was known of a chat with what arrives, in whatever order both were read on the server: the newest
 * message, the reaction and the unread messages are of the greater `rev`, everything else is of the greater
 * `memberRev`. If one revision is equal, the other decides. A chat without changes keeps its identity.
 */
export function mergeChat(known: Chat, incoming: Chat): Chat {
  const byRev = known.rev - incoming.rev;
  const byMemberRev = known.memberRev - incoming.memberRev;
  // Declining or reading changes the messages of a chat without a new revision of the chatroom.
  const newest = (byRev || byMemberRev) > 0 ? known : incoming;
  const member = (byMemberRev || byRev) > 0 ? known : incoming;
  // Sending a message reads without a new revision of the membership.
  const read = withRead(member === newest ? member : withContent(member, newest), known.readSeq);
  const merged = withoutClearedLast(read);
  return isSame(known, merged) ? known : merged;
}

/** Returns whether two states of a chat were read by processes that did not know of each other's change. */
export function areConcurrent(a: Chat, b: Chat): boolean {
  return (a.rev - b.rev) * (a.memberRev - b.memberRev) < 0;
}

/** Returns a chat with the newest message, the reaction and the unread messages of another state. */
function withContent(chat: Chat, { last, time, activeAt, reaction, ...newest }: Chat): Chat {
  const { reaction: _reaction, ...others } = chat;
  const merged = {
    ...others,
    last,
    time,
    activeAt,
    rev: newest.rev,
    ...(reaction && { reaction }),
  };
  return withUnread(merged, newest.unread, countedAfter(newest));
}

/** Returns the chat after the user has read up to a position, here or on another device. */
export function withRead(chat: Chat, readSeq: number): Chat {
  if (readSeq <= chat.readSeq) return chat;
  return withUnread({ ...chat, readSeq }, chat.unread, countedAfter(chat));
}

/** Returns the position after which unread messages count: none that was cleared does. */
function countedAfter({ readSeq, clearedSeq }: Pick<Chat, 'readSeq' | 'clearedSeq'>): number {
  return Math.max(readSeq, clearedSeq);
}

/** Returns the chat with unread messages that were counted after another position. */
function withUnread(chat: Chat, unread: number, before: number): Chat {
  const start = countedAfter(chat);
  if (start <= before) return { ...chat, unread };
  const left = Math.max(0, (chat.last?.seq ?? 0) - start);
  return { ...chat, unread: Math.min(unread, left) };
}

/** Returns the chat after a new message, or undefined if earlier changes were missed. */
export function withLastMessage(chat: Chat, message: Message, isOwn: boolean): Chat | undefined {
  if (message.rev <= chat.rev) return chat;
  if (message.rev > chat.rev + 1) return undefined;
  const { reaction: _reaction, isSentAsRequest: _isSentAsRequest, ...others } = chat;
  const { isRequest, isUndecided, isSentAsRequest } = message;
  const changed: Chat = {
    ...others,
    ...(isOwn && isSentAsRequest && { isSentAsRequest }),
    last: { content: message.content, kind: message.kind, isOwn, seq: message.seq },
    time: message.createdAt,
    activeAt: message.activeAt ?? message.createdAt,
    unread: isOwn ? chat.unread : Math.min(chat.unread + 1, LIMITS.unreadMax),
    // As the server does for a user who has read everything before.
    readSeq: isOwn && chat.readSeq === message.seq - 1 ? message.seq : chat.readSeq,
    rev: message.rev,
  };
  // A reply accepts the partner.
  if (isOwn) return { ...changed, status: 'accepted' };
  const status = isRequest ? 'request' : isUndecided ? 'undecided' : 'accepted';
  const received = withoutArchiving({ ...changed, status }, message.createdAt);
  return isRequest ? withoutPin(received) : received;
}

/** A quiet request cannot be pinned. The server unpins it without telling, as sending changes no membership. */
function withoutPin(chat: Chat): Chat {
  const { isPinned: _isPinned, pinRank: _pinRank, ...others } = chat.settings;
  return withSettings(chat, others);
}

/** Returns the chat after a message was edited or has other reactions, or undefined if earlier changes were missed. */
export function withUpdatedMessage(chat: Chat, message: Message): Chat | undefined {
  if (message.rev <= chat.rev) return chat;
  if (message.rev > chat.rev + 1) return undefined;
  const { content, kind } = message;
  const { last, reaction } = chat;
  return {
    ...chat,
    rev: message.rev,
    last: last?.seq === message.seq ? { ...last, content, kind } : last,
    // Only texts can be edited.
    ...(reaction?.messageId === message._id &&
      isTextual(kind) && {
        reaction: { ...reaction, content: cutExcerpt(content, LIMITS.reactionExcerpt) },
      }),
  };
}

/**
 * Returns the chat after the partner reacted to a message of the user, or took a reaction back.
 * @param seq of the message. A state of the chat that arrived before may have cleared it
 */
export function withReaction(
  chat: Chat,
  incoming: LastReaction,
  isOn: boolean,
  seq = Infinity,
): Chat {
  if (seq <= (chat.ownClearedSeq ?? 0)) return chat;
  if (isOn) return { ...chat, reaction: incoming };
  const { reaction, ...others } = chat;
  const isShown = reaction?.messageId === incoming.messageId && reaction.emoji === incoming.emoji;
  return isShown ? others : chat;
}

/** Returns the chat after a message of the partner, which takes it out of the archive unless muted. */
function withoutArchiving(chat: Chat, sentAt: string): Chat {
  const { settings } = chat;
  if (!settings.isArchived || Date.parse(sentAt) <= muteEnd(settings)) return chat;
  const { isArchived: _before, ...others } = settings;
  return withSettings(chat, others);
}

/** Returns the list with a chat added or replaced. */
export function withChat(chats: readonly Chat[], changed: Chat): readonly Chat[] {
  const known = chats.find(({ id }) => id === changed.id);
  if (known === changed) return chats;
  const next = known ? chats.map((each) => (each === known ? changed : each)) : [...chats, changed];
  return known && compareChats(known, changed) === 0 ? next : next.toSorted(compareChats);
}

function isSame(a: Chat, b: Chat): boolean {
  if (a === b) return true;
  const hasSameFields = Object.keys(a).length === Object.keys(b).length;
  return hasSameFields && JSON.stringify({ ...a, ...b }) === JSON.stringify(a);
}
