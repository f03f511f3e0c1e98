import {
  acceptsFirstMessages,
  cleanText,
  contentKind,
  isSendable,
  LIMITS,
  type Message,
  type SendBody,
} from '@parley/contract';
import { beginChat, findPartner, findView, listViews, viewOf, type View } from './views.ts';
import { partnerViewOf, tellAcceptance, tellChat } from './member-states.ts';
import type { UserHandlers } from './endpoint-handlers.ts';
import { isShownTo, isVisible, toLastReaction, toView } from './message-views.ts';
import { Refusal } from './refusal.ts';
import {
  emit,
  type Member,
  type ServerChatroom,
  type State,
  type StoredMessage,
  type Upload,
} from './state.ts';

function parseText(content: string): string {
  const text = cleanText(content.toWellFormed());
  if (!isSendable(text)) throw new Refusal('invalid_request');
  return text;
}

/** What a request sends: an upload, or a text if there is no such upload. */
interface MessageBody {
  uploadId: string | undefined;
  text: string | undefined;
}

function parseBody(
  { config: { mediaPrefix } }: State,
  { content, uploadId }: Pick<SendBody, 'content' | 'uploadId'>,
): MessageBody {
  if ((content === undefined) === (uploadId === undefined)) throw new Refusal('invalid_request');
  if (content === undefined) return { uploadId: uploadId?.toLowerCase(), text: undefined };
  const text = parseText(content);
  if (contentKind(text, mediaPrefix) === 'text') return { uploadId: undefined, text };
  return { uploadId: text.slice(mediaPrefix.length).split('.')[0], text };
}

/** Sends a message to a chatroom. Returns its view of the sender, and whether it is new. */
function post(
  state: State,
  { room, me, partner, partnerAccount }: View,
  body: Omit<SendBody, 'chatroom' | 'content' | 'uploadId'>,
  { uploadId, text }: MessageBody,
): { message: Message; isNew: boolean } {
  const earlier = room.messages.find(
    ({ senderId, clientId }) =>
      senderId === me.accountId && clientId !== undefined && clientId === body.clientId,
  );
  if (earlier && (earlier.isDeleted || !isShownTo(me, earlier))) {
    throw new Refusal('message_not_found');
  }
  if (earlier) {
    const isSentAsRequest = partnerAccount && partner.consent !== 'accepted' && partner.isQuiet;
    const view = toView(state, room, earlier, me.accountId);
    return { message: { ...view, ...(isSentAsRequest && { isSentAsRequest }) }, isNew: false };
  }
  if (!partnerAccount) throw new Refusal('partner_deleted');
  if (me.blockedAt !== undefined) throw new Refusal('partner_blocked');
  const upload = findUnusedUpload(state, me.accountId, uploadId);
  const content = upload ? '' : text;
  if (content === undefined || (body.kind !== undefined && upload?.kind !== body.kind)) {
    throw new Refusal('media_not_found');
  }

  const { whoMayWrite } = partnerAccount;
  const isClosed = partner.consent === 'declined' && !acceptsFirstMessages(whoMayWrite);
  const isWithheld = partner.blockedAt !== undefined || isClosed;
  const hasReadAll = me.readSeq === room.lastSeq;
  const { readSeq } = me;
  const now = Date.now();
  room.lastSeq += 1;
  room.lastRev += 1;
  const message: StoredMessage = {
    id: crypto.randomUUID(),
    chatroomId: room.id,
    seq: room.lastSeq,
    rev: room.lastRev,
    senderId: me.accountId,
    kind: upload?.kind ?? state.textKind,
    content,
    clientId: body.clientId,
    albumId: body.albumId,
    isForwarded: body.isForwarded ?? false,
    replyToId: findQuotableId(room, me, body.replyTo),
    upload,
    createdAt: now,
    updatedAt: now,
    isDeleted: false,
    isWithheld,
    reactions: [],
  };
  room.messages.push(message);
  if (hasReadAll) me.readSeq = room.lastSeq;
  const isUnaccepted = partner.consent !== 'accepted';
  if (partner.consent === 'declined' && !isWithheld) partner.consent = 'requested';
  if (acceptsFirstMessages(whoMayWrite)) partner.isQuiet = whoMayWrite === 'requests';
  const isQuiet = isUnaccepted && partner.isQuiet;
  if (isQuiet) partner.isPinned = false;
  const wasAccepted = me.consent === 'accepted';
  me.consent = 'accepted';
  const own = toView(state, room, message, me.accountId);
  const ownPayload = { ...own, ...(isQuiet && { isSentAsRequest: true }) };
  emit(state, [me.accountId], { name: 'message', payload: ownPayload });
  if (!isWithheld) {
    const view = toView(state, room, message, partner.accountId);
    const status = partner.isQuiet ? { isRequest: true } : { isUndecided: true };
    const payload = { ...view, ...(isUnaccepted && status) };
    emit(state, [partner.accountId], { name: 'message', payload });
  }
  if (!wasAccepted) tellAcceptance(state, { room, me, partner, partnerAccount }, readSeq, tellChat);
  return { message: ownPayload, isNew: true };
}

function findUnusedUpload(
  state: State,
  ownerId: string,
  id: string | undefined,
): Upload | undefined {
  const upload = state.uploads.values().find((each) => each.id === id);
  const isUsed = state.rooms
    .values()
    .some(({ messages }) => messages.some((message) => message.upload === upload));
  return upload?.ownerId === ownerId && !isUsed ? upload : undefined;
}

/** Returns the id of a message of the chatroom that is not hidden from the user. It may be deleted. */
function findQuotableId(
  room: ServerChatroom,
  me: Member,
  id: string | undefined,
): string | undefined {
  const found = room.messages.find((message) => message.id === id);
  return found && isShownTo(me, found) ? id : undefined;
}

interface Found {
  view: View;
  message: StoredMessage;
}

/** Finds a message that the user sees. Throws `message_not_found`. */
export function findMessage(state: State, accountId: string, id: string): Found {
  for (const view of listViews(state, accountId)) {
    const message = view.room.messages.find((each) => each.id === id.toLowerCase());
    if (message && isVisible(state, view.room, message, accountId)) return { view, message };
  }
  throw new Refusal('message_not_found');
}

function findOwnMessage(state: State, accountId: string, id: string): Found {
  const found = findMessage(state, accountId, id);
  if (found.message.senderId !== accountId) throw new Refusal('not_sender');
  return found;
}

/** Like `findOwnMessage`, also finds one that the user no longer sees, having deleted the chat. */
function findDeletable(state: State, accountId: string, id: string): Found {
  for (const view of listViews(state, accountId)) {
    const message = view.room.messages.find((each) => each.id === id.toLowerCase());
    if (message?.senderId === accountId && !message.isDeleted) return { view, message };
  }
  return findOwnMessage(state, accountId, id);
}

/** Returns whether the partner of a user receives events about a message that the user sees. */
function isReceiving(partner: View['partner'], message: StoredMessage): boolean {
  return (
    partner.consent !== 'declined' && partner.blockedAt === undefined && isShownTo(partner, message)
  );
}

function announceUpdate(state: State, { view, message }: Found): void {
  const { room, me, partner, partnerAccount } = view;
  const isTold = partnerAccount && isReceiving(partner, message);
  for (const accountId of [me.accountId, ...(isTold ? [partner.accountId] : [])]) {
    const updatedMessage = toView(state, room, message, accountId);
    emit(state, [accountId], { name: 'message-update', payload: { updatedMessage } });
  }
}

/** Removes the content of a message and what refers to it. */
function eraseMessage(room: ServerChatroom, message: StoredMessage): void {
  room.lastRev += 1;
  Object.assign(message, {
    rev: room.lastRev,
    updatedAt: Date.now(),
    isDeleted: true,
    content: '',
    upload: undefined,
    reactions: [],
  });
  for (const member of room.members) {
    if (member.lastReaction?.messageId === message.id) member.lastReaction = undefined;
  }
}

/** The endpoints of `/messages`, and the one that creates a chatroom. */
export const messageHandlers = {
  createChatroom: ({ state, account, body }) => {
    const { partnerName, ...message } = body;
    const parsed = parseBody(state, message);
    const { partner, room } = findPartner(state, account.id, partnerName, 'self_chat');
    if (!room && !acceptsFirstMessages(partner.whoMayWrite)) {
      throw new Refusal('not_accepting_messages');
    }
    const target = room ?? beginChat(state, account.id, partner.id, 'requested');
    const sent = post(state, viewOf(state, target, account.id), message, parsed);
    return Response.json({ chatroomId: sent.message.chatroom }, { status: 201 });
  },

  sendMessage: ({ state, account, body }) => {
    const parsed = parseBody(state, body);
    const view = findView(state, body.chatroom, account.id);
    const { message, isNew } = post(state, view, body, parsed);
    return Response.json(message, { status: isNew ? 201 : 200 });
  },

  editMessage: ({ state, account, body }) => {
    const content = parseText(body.content);
    const found = findOwnMessage(state, account.id, body.messageId);
    const { message, view } = found;
    if (message.kind !== 'text') throw new Refusal('media_not_editable');
    if (!view.partnerAccount) throw new Refusal('partner_deleted');
    if (view.me.blockedAt !== undefined) throw new Refusal('partner_blocked');
    if (message.content !== content) {
      view.room.lastRev += 1;
      Object.assign(message, {
        content,
        rev: view.room.lastRev,
        isForwarded: false,
        updatedAt: Math.max(Date.now(), message.updatedAt + 1),
        isWithheld: message.isWithheld || view.partner.blockedAt !== undefined,
      });
      announceUpdate(state, found);
    }
    return toView(state, view.room, message, account.id);
  },

  deleteMessage: ({ state, account, body }) => {
    const { view, message } = findDeletable(state, account.id, body.messageId);
    const { room, me, partner, partnerAccount } = view;
    const isSeen = isShownTo(me, message);
    const isTold = partnerAccount && isReceiving(partner, message);
    eraseMessage(room, message);
    const deletedMessage = {
      _id: message.id,
      chatroom: room.id,
      seq: message.seq,
      rev: message.rev,
    };
    const recipients = [...(isSeen ? [me.accountId] : []), ...(isTold ? [partner.accountId] : [])];
    emit(state, recipients, { name: 'message-delete', payload: { deletedMessage } });
    if (isSeen) tellChat(state, view);
    if (isTold) tellChat(state, partnerViewOf(state, view));
    return deletedMessage;
  },

  reactToMessage: ({ state, account, body: { messageId, emoji, isOn } }) => {
    if (emoji !== ':circassia:' && !/^\p{RGI_Emoji}$/v.test(emoji)) {
      throw new Refusal('invalid_request');
    }
    const found = findMessage(state, account.id, messageId);
    const { message, view } = found;
    const { room, me, partner, partnerAccount } = view;
    if (!partnerAccount) throw new Refusal('partner_deleted');
    if (me.blockedAt !== undefined) throw new Refusal('partner_blocked');
    if (me.consent !== 'accepted') throw new Refusal('request_not_accepted');
    const own = message.reactions.filter(({ accountId }) => accountId === account.id);
    const known = own.find((reaction) => reaction.emoji === emoji);
    if ((known !== undefined) === isOn) return toView(state, room, message, account.id);
    if (isOn && own.length >= LIMITS.reactionsMax) throw new Refusal('reaction_limit');
    const isWithheld = known?.isWithheld ?? partner.blockedAt !== undefined;
    if (isOn) message.reactions.push({ accountId: account.id, emoji, isWithheld });
    else message.reactions = message.reactions.filter((reaction) => reaction !== known);
    room.lastRev += 1;
    message.rev = room.lastRev;
    announceUpdate(state, found);
    if (message.senderId === partner.accountId)
      tellReaction(state, found, { emoji, isOn, isWithheld });
    return toView(state, room, message, account.id);
  },
} satisfies UserHandlers;

/** Tells the author of a message that the partner reacted to it, or took the reaction back. */
function tellReaction(
  state: State,
  { message, view: { room, partner } }: Found,
  { emoji, isOn, isWithheld }: { emoji: string; isOn: boolean; isWithheld: boolean },
): void {
  const at = Date.now();
  const { lastReaction } = partner;
  const isLatest = lastReaction?.messageId === message.id && lastReaction.emoji === emoji;
  if (isOn && !isWithheld && isShownTo(partner, message)) {
    partner.lastReaction = { messageId: message.id, emoji, at, seq: room.lastSeq };
  } else if (!isOn && isLatest) {
    partner.lastReaction = undefined;
  }
  if (isWithheld || !isReceiving(partner, message)) return;
  const reaction = toLastReaction(message, emoji, at);
  const payload = { chatroom: room.id, rev: message.rev, reaction, isOn };
  emit(state, [partner.accountId], { name: 'reaction', payload });
}
