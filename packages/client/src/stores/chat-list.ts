import {
  compareChats,
  type ChatSettings,
  type ChatSortKey,
  type ChatSummary,
  type LastReaction,
  type Message,
} from '@parley/contract';
import { hasSameConsent, toConsent, type ChatConsent } from './chat-consent.ts';

/** An entry of the chat list. */
export interface Chat extends ChatSortKey, ChatConsent {
  /** The other participants. */
  names: readonly string[];
  last: {
    content: string;
    kind: string;
    isOwn: boolean;
    /** Older servers and older copies omit it. */
    seq?: number;
  } | null;
  /** Time of the newest message, ISO 8601, or null if there is none. */
  time: string | null;
  unread: number;
  /** Revision of the chatroom that this entry reflects. */
  rev: number;
  /** The partner's reaction to a message of the user, if no message is newer. */
  reaction?: LastReaction;
  /** The user's settings of the chat on the server. Older servers and copies omit it. */
  settings?: ChatSettings;
  /** Up to where the partner has received and read; null if the partner has told nothing. */
  receipt?: PartnerReceipt | null;
}

/** Up to which `seq` messages have reached a device of the partner, and the partner has read them. */
export interface PartnerReceipt {
  readonly deliveredSeq: number;
  readonly readSeq: number;
}

/** Converts an entry of the server's chat list. */
export function toChat(summary: ChatSummary): Chat {
  const { lastMessage: last, settings } = summary;
  const chat: Chat = {
    id: summary.chatId,
    names: summary.usernames,
    isDeleted: summary.isDeletedAccount,
    last: last && {
      content: last.content,
      kind: last.kind,
      isOwn: last.sender === summary.currentUserId,
      ...(last.seq !== undefined && { seq: last.seq }),
    },
    time: summary.timestamps[0] ?? null,
    // Older servers do not send this field.
    activeAt: summary.activeAt ?? summary.timestamps[0] ?? '',
    unread: summary.unreadMessagesCount,
    rev: summary.rev,
    ...toConsent(summary),
    receipt: toReceipt(summary),
    ...(summary.lastReaction && { reaction: summary.lastReaction }),
  };
  return settings ? withSettings(chat, settings) : chat;
}

/** Returns the chat with other settings. */
export function withSettings(chat: Chat, settings: ChatSettings): Chat {
  const { isPinned: _before, ...others } = chat;
  const isPinned = settings.isPinned === true && !chat.isDeleted;
  return { ...others, settings, ...(isPinned && { isPinned }) };
}

/** Returns the list after the user changed the settings of a chat on any device. */
export function withChangedSettings(
  chats: readonly Chat[],
  id: string,
  settings: ChatSettings,
): readonly Chat[] {
  const chat = chats.find((each) => each.id === id);
  // The server lists only settings that the user has changed.
  if (!chat || (!chat.settings && settings.version === 0)) return chats;
  const newest = newestSettings(chat.settings, settings);
  if (newest === chat.settings) return chats;
  const changed = withSettings(chat, newest);
  return chats.map((each) => (each === chat ? changed : each)).toSorted(compareChats);
}

/** Returns the newer settings, since responses and events can arrive in any order. */
export function newestSettings(
  known: ChatSettings | undefined,
  incoming: ChatSettings,
): ChatSettings {
  if (!known || incoming.version > known.version) return incoming;
  // A message ends the archiving without a new version.
  const isUnarchived = incoming.version === known.version && !incoming.isArchived;
  return isUnarchived && known.isArchived ? incoming : known;
}

/** Returns when a mute ends, in UTC milliseconds; 0 without one, or if it cannot be read. */
export function muteEnd({ mutedUntil }: Pick<ChatSettings, 'mutedUntil'>): number {
  return Date.parse(mutedUntil ?? '') || 0;
}

/** Returns the chat after a message of the partner, which takes it out of the archive unless muted. */
function withoutArchiving(chat: Chat, sentAt: string): Chat {
  const { settings } = chat;
  if (!settings?.isArchived || Date.parse(sentAt) <= muteEnd(settings)) return chat;
  const { isArchived: _before, ...others } = settings;
  return withSettings(chat, others);
}

function toReceipt({
  partnerDeliveredSeq: deliveredSeq,
  partnerReadSeq: readSeq = 0,
}: Pick<ChatSummary, 'partnerDeliveredSeq' | 'partnerReadSeq'>): PartnerReceipt | null {
  return deliveredSeq === undefined ? null : { deliveredSeq, readSeq };
}

/** Returns how far the partner is by either receipt, since events can arrive in any order. */
export function furthestReceipt(
  known: PartnerReceipt | null | undefined,
  { deliveredSeq, readSeq }: PartnerReceipt,
): PartnerReceipt {
  return {
    deliveredSeq: Math.max(deliveredSeq, known?.deliveredSeq ?? 0),
    readSeq: Math.max(readSeq, known?.readSeq ?? 0),
  };
}

/** Returns the list after the partner in a chatroom received or read messages. */
export function withReceipt(
  chats: readonly Chat[],
  id: string,
  incoming: PartnerReceipt,
): readonly Chat[] {
  const chat = chats.find((each) => each.id === id);
  if (!chat) return chats;
  const { receipt: before } = chat;
  const receipt = furthestReceipt(before, incoming);
  const isKnown =
    receipt.deliveredSeq === before?.deliveredSeq && receipt.readSeq === before.readSeq;
  return isKnown ? chats : chats.map((each) => (each === chat ? { ...chat, receipt } : each));
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
 * Merges the server's list with live updates that arrived in the meantime. Entries with a newer
 * revision are kept. Unchanged entries keep their identity, so that their rows do not rerender.
 */
export function mergeChats(current: readonly Chat[], incoming: readonly Chat[]): readonly Chat[] {
  const known = new Map(current.map((chat) => [chat.id, chat]));
  let isInOrder = true;
  const merged = incoming.map((chat) => {
    const own = known.get(chat.id);
    if (!own) return chat;
    if (own.rev > chat.rev) isInOrder = false;
    if (isSame(own, chat)) return own;
    return own.rev > chat.rev ? withListedSettings(withListedReceipt(own, chat), chat) : chat;
  });
  // The server sends its list sorted.
  return isInOrder ? merged : merged.toSorted(compareChats);
}

/** Returns the newer entry with the receipt of the server's list, which has no revision. */
function withListedReceipt(own: Chat, { receipt = null }: Chat): Chat {
  const isKnown =
    own.receipt?.deliveredSeq === receipt?.deliveredSeq &&
    own.receipt?.readSeq === receipt?.readSeq;
  return isKnown ? own : { ...own, receipt };
}

/** Returns the newer entry with the settings of the server's list, which may be of a later version. */
function withListedSettings(own: Chat, { settings }: Chat): Chat {
  if (!settings) return own;
  const isUnarchived = own.settings?.version === settings.version && !own.settings.isArchived;
  return isUnarchived ? own : withSettings(own, settings);
}

/** Returns the incoming list. Unchanged entries keep their identity. */
export function reuseChats(known: readonly Chat[], incoming: readonly Chat[]): readonly Chat[] {
  const byId = new Map(known.map((chat) => [chat.id, chat]));
  return incoming.map((chat) => {
    const own = byId.get(chat.id);
    return own && isSame(own, chat) ? own : chat;
  });
}

/**
 * Returns the list after a new message. Returns undefined if the list must be refetched because the
 * chatroom is unknown or earlier changes were missed.
 */
export function withLastMessage(
  chats: readonly Chat[],
  message: Message,
  isOwn: boolean,
): readonly Chat[] | undefined {
  const chat = chats.find(({ id }) => id === message.chatroom);
  if (!chat) return undefined;
  if (message.rev <= chat.rev) return chats;
  if (message.rev > chat.rev + 1) return undefined;
  const { reaction: _reaction, ...others } = chat;
  const changed: Chat = {
    // A reply accepts the partner.
    ...(isOwn ? withConsent(others, {}) : withoutArchiving(others, message.createdAt)),
    last: { content: message.content, kind: message.kind, isOwn, seq: message.seq },
    time: message.createdAt,
    activeAt: message.createdAt,
    unread: isOwn ? chat.unread : chat.unread + 1,
    rev: message.rev,
  };
  return chats.map((each) => (each === chat ? changed : each)).toSorted(compareChats);
}

/** Returns the list with the number of unread messages of a chatroom. */
export function withUnread(chats: readonly Chat[], id: string, unread: number): readonly Chat[] {
  return chats.some((chat) => chat.id === id && chat.unread !== unread)
    ? chats.map((chat) => (chat.id === id ? { ...chat, unread } : chat))
    : chats;
}

/** Returns the chat with another consent of the user. */
export function withConsent(chat: Chat, consent: ChatConsent): Chat {
  if (hasSameConsent(chat, consent)) return chat;
  const { isRequest: _isRequest, isUndecided: _isUndecided, ...others } = chat;
  return { ...others, ...toConsent(consent) };
}

function isSame(a: Chat, b: Chat): boolean {
  const hasSameFields = Object.keys(a).length === Object.keys(b).length;
  return hasSameFields && JSON.stringify({ ...a, ...b }) === JSON.stringify(a);
}
