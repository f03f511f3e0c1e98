import {
  cutExcerpt,
  LIMITS,
  type LastReaction,
  type MediaInfo,
  type Message,
  type Quote,
  type Reaction,
} from '@parley/contract';
import {
  toTimestamp,
  type Member,
  type ServerChatroom,
  type State,
  type StoredMessage,
} from './state.ts';

/** Returns whether a user sees a message. */
export function isVisible(
  state: State,
  room: ServerChatroom,
  message: StoredMessage,
  accountId: string,
): boolean {
  if (message.isDeleted || !state.accounts.has(message.senderId)) return false;
  const me = room.members.find((member) => member.accountId === accountId);
  return me !== undefined && isShownTo(me, message);
}

/** Returns whether a member sees a message of either user, if it is not deleted. */
export function isShownTo(
  member: Pick<Member, 'accountId' | 'clearedSeq' | 'ownClearedSeq'>,
  message: Pick<StoredMessage, 'senderId' | 'isWithheld' | 'seq'>,
): boolean {
  return message.senderId === member.accountId
    ? message.seq > member.ownClearedSeq
    : isShownToPartner(member, message);
}

/** Returns whether a member sees a message of the partner, if it is not deleted. */
export function isShownToPartner(
  { clearedSeq }: Pick<Member, 'clearedSeq'>,
  { isWithheld, seq }: Pick<StoredMessage, 'isWithheld' | 'seq'>,
): boolean {
  return !isWithheld && seq > clearedSeq;
}

/** Returns the messages of a chatroom that a user sees, oldest first. */
export function visibleMessages(
  state: State,
  room: ServerChatroom,
  accountId: string,
): StoredMessage[] {
  return room.messages.filter((message) => isVisible(state, room, message, accountId));
}

/** Returns the content of a message on the wire: its text, or the URL of its upload. */
export function wireContent(
  state: State,
  { content, upload }: Pick<StoredMessage, 'content' | 'upload'>,
): string {
  return upload ? state.config.mediaPrefix + upload.file : content;
}

/** Converts a message to the wire format as a user sees it. */
export function toView(
  state: State,
  room: ServerChatroom,
  message: StoredMessage,
  accountId: string,
): Message {
  const media = toMediaInfo(message);
  const reactions = toReactions(state, message, accountId);
  const replyTo = toQuote(state, room, message, accountId);
  return {
    _id: message.id,
    chatroom: room.id,
    content: wireContent(state, message),
    sender: { username: state.accounts.get(message.senderId)?.username ?? '' },
    createdAt: toTimestamp(message.createdAt),
    updatedAt: toTimestamp(message.updatedAt),
    seq: message.seq,
    rev: message.rev,
    kind: message.kind,
    ...(message.clientId !== undefined && { clientId: message.clientId }),
    ...(message.albumId !== undefined && { albumId: message.albumId }),
    ...(message.isForwarded && { isForwarded: true }),
    ...(media && { media }),
    ...(reactions.length > 0 && { reactions }),
    ...(replyTo && { replyTo }),
  };
}

function toMediaInfo({ upload }: StoredMessage): MediaInfo | undefined {
  if (!upload) return undefined;
  const { width, height, duration, peaks } = upload;
  const info: MediaInfo = {
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration !== undefined && duration > 0 && { duration }),
    ...(peaks && { peaks }),
  };
  return Object.keys(info).length > 0 ? info : undefined;
}

function toReactions(state: State, { reactions }: StoredMessage, accountId: string): Reaction[] {
  const names = new Map<string, string[]>();
  for (const { emoji, accountId: authorId, isWithheld } of reactions) {
    const author = state.accounts.get(authorId);
    if (!author || (isWithheld && authorId !== accountId)) continue;
    names.set(emoji, [...(names.get(emoji) ?? []), author.username]);
  }
  return Array.from(names, ([emoji, usernames]) => ({ emoji, usernames }));
}

function toQuote(
  state: State,
  room: ServerChatroom,
  { replyToId }: StoredMessage,
  accountId: string,
): Quote | undefined {
  const original = room.messages.find(({ id }) => id === replyToId);
  if (!original) return undefined;
  const { id: messageId, seq, kind } = original;
  if (!isVisible(state, room, original, accountId)) {
    return { messageId, seq, username: '', kind: 'text', content: '', isDeleted: true };
  }
  const username = state.accounts.get(original.senderId)?.username ?? '';
  const content = kind === 'audio' ? '' : wireContent(state, original);
  const excerpt = kind === 'image' ? content : cutExcerpt(content, LIMITS.quoteExcerpt);
  return { messageId, seq, username, kind, content: excerpt };
}

/** Converts a reaction to the format in which the chat list shows it. */
export function toLastReaction(
  { id, kind, content }: StoredMessage,
  emoji: string,
  at: number,
): LastReaction {
  return {
    messageId: id,
    emoji,
    content: cutExcerpt(content, LIMITS.reactionExcerpt),
    kind,
    createdAt: toTimestamp(at),
  };
}
