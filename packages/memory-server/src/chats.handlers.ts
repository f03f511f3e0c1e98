import {
  acceptsFirstMessages,
  compareChats,
  cutExcerpt,
  DELETED_USER,
  LIMITS,
  MUTED_ALWAYS,
  NEW_CHATROOM,
  type Changes,
  type ChatSettings,
  type ChatSummary,
} from '@parley/contract';
import type { UserHandlers } from './endpoint-handlers.ts';
import {
  isShownToPartner,
  isVisible,
  toLastReaction,
  toView,
  visibleMessages,
  wireContent,
} from './message-views.ts';
import { Refusal } from './refusal.ts';
import { emit, toTimestamp, type State, type StoredMessage } from './state.ts';
import {
  announceStatus,
  findListedView,
  findPartner,
  findView,
  findViewOfMember,
  isArchived,
  isQuietRequest,
  listViews,
  receiptFields,
  sentAsRequestField,
  settingsField,
  settingsOf,
  statusFields,
  resetSettings,
  unpin,
  tellReceipt,
  unreadCount,
  viewOf,
  type View,
} from './views.ts';

function summarize(state: State, view: View): ChatSummary {
  const { room, me, partnerAccount } = view;
  const last = visibleMessages(state, room, me.accountId).at(-1);
  return {
    chatId: room.id,
    usernames: partnerAccount ? [partnerAccount.username] : [],
    isDeletedAccount: partnerAccount === undefined,
    lastMessage: last
      ? {
          content: cutExcerpt(wireContent(state, last), 1_000),
          sender: last.senderId,
          kind: last.kind,
          seq: last.seq,
        }
      : null,
    currentUserId: me.accountId,
    timestamps: last ? [toTimestamp(last.createdAt)] : [],
    activeAt: toTimestamp(last?.createdAt ?? room.createdAt),
    unreadMessagesCount: unreadCount(state, view),
    rev: room.lastRev,
    ...statusFields(me),
    ...receiptFields(state, view),
    ...lastReactionField(view, last),
    ...settingsField(view),
  };
}

function lastReactionField({ room, me, partnerAccount }: View, last: StoredMessage | undefined) {
  const reaction = me.lastReaction;
  const reacted = room.messages.find(({ id }) => id === reaction?.messageId);
  if (!reaction || !reacted || !partnerAccount || (last?.seq ?? 0) > reaction.seq) return {};
  return { lastReaction: toLastReaction(reacted, reaction.emoji, reaction.at) };
}

function saveSettings(state: State, view: View): ChatSettings {
  view.me.settingsVersion += 1;
  const settings = settingsOf(view);
  const payload = { chatroom: view.room.id, settings };
  emit(state, [view.me.accountId], { name: 'chat-settings', payload });
  return settings;
}

/** Changes the status of a chat for a member unless `decide` returns false. */
function changeMember(
  state: State,
  id: string,
  accountId: string,
  decide: (view: View) => boolean,
): { ok: true } {
  const view = findView(state, id, accountId);
  const wasAccepted = view.me.consent === 'accepted';
  if (decide(view)) {
    if (!wasAccepted && view.me.consent === 'accepted') {
      tellReceipt(state, view, { readSeq: view.me.readSeq });
      const payload = { chatroom: view.room.id };
      emit(state, [view.partner.accountId], { name: 'chat-accepted', payload });
    }
    announceStatus(state, view.room, view.me);
  }
  return { ok: true };
}

function accept({ me }: View): boolean {
  if (me.consent === 'declined') throw new Refusal('room_not_found');
  if (me.blockedAt !== undefined) throw new Refusal('partner_blocked');
  if (me.consent === 'accepted') return false;
  me.consent = 'accepted';
  return true;
}

function parseTime(value: string): number {
  const time = Date.parse(value);
  if (!(time >= 0 && time <= Date.parse(MUTED_ALWAYS))) throw new Refusal('invalid_request');
  return time;
}

/** The endpoints of `/chatrooms`. */
export const chatHandlers = {
  findUser: ({ state, account, body }) => {
    const { partner, room } = findPartner(state, account.id, body.username, 'self_search');
    const partnerName = partner.username;
    if (!room) {
      const isClosed = !acceptsFirstMessages(partner.whoMayWrite);
      return { chatroom: NEW_CHATROOM, partnerName, ...(isClosed && { isClosed }) };
    }
    const { me } = viewOf(state, room, account.id);
    if (me.consent === 'declined') return { chatroom: NEW_CHATROOM, partnerName };
    const wasRequest = isQuietRequest(me);
    changeMember(state, room.id, account.id, accept);
    return { chatroom: room.id, partnerName, ...(wasRequest && { wasRequest }) };
  },

  listChats: ({ state, account }) => {
    const views = listViews(state, account.id).filter(
      ({ me, partnerAccount }) =>
        me.blockedAt === undefined &&
        me.consent !== 'declined' &&
        (!isQuietRequest(me) || partnerAccount),
    );
    const chatrooms = views
      .map((view) => summarize(state, view))
      .toSorted((a, b) => compareChats(toSortKey(a), toSortKey(b)));
    return { chatrooms, currentUsername: account.username, volume: account.volume };
  },

  getChatroom: ({ state, account, params, query }) => {
    const view = findListedView(state, params.id, account.id);
    const { room, me, partnerAccount } = view;
    const all = visibleMessages(state, room, account.id);
    const { messages, hasMore, hasNewer } = selectPage(all, query);
    return {
      chatroomMessages: messages.map((message) => toView(state, room, message, account.id)),
      currentUsername: account.username,
      partnerName: partnerAccount?.username ?? DELETED_USER,
      unreadMessagesCount: unreadCount(state, view),
      volume: account.volume,
      hasMore,
      ...(hasNewer && { hasNewer }),
      readSeq: me.readSeq,
      rev: room.lastRev,
      ...statusFields(me),
      ...sentAsRequestField(view),
      ...receiptFields(state, view),
    };
  },

  listChanges: ({ state, account, body }) => {
    const ids = Object.keys(body.since).toSorted();
    const views = ids.flatMap((id) => {
      const view = findViewOfMember(state, id, account.id);
      return view && view.me.consent !== 'declined' ? [view] : [];
    });
    const known = new Set(views.map(({ room }) => room.id));
    const rooms = views.map((view): Changes['rooms'][number] => {
      const { room, me, partnerAccount } = view;
      const changed = room.messages
        .filter(({ rev }) => rev > (body.since[room.id] ?? 0))
        .toSorted((a, b) => a.rev - b.rev);
      const isShown = (message: StoredMessage) => isVisible(state, room, message, account.id);
      const unchanged = {
        chatId: room.id,
        rev: room.lastRev,
        updated: changed.filter(isShown).map((each) => toView(state, room, each, account.id)),
        deleted: changed
          .filter((message) => !isShown(message))
          .map(({ id, seq, rev }) => ({ _id: id, chatroom: room.id, seq, rev })),
        partnerName: partnerAccount?.username ?? DELETED_USER,
        readSeq: me.readSeq,
        ...(me.clearedSeq > 0 && { clearedSeq: me.clearedSeq }),
        unreadMessagesCount: unreadCount(state, view),
      };
      const told = { ...sentAsRequestField(view), ...receiptFields(state, view) };
      return Object.assign(unchanged, statusFields(me), told, settingsField(view));
    });
    return { rooms, gone: ids.filter((id) => !known.has(id)), hasMore: false };
  },

  markAsRead: ({ state, account, params, body }) => {
    const view = findListedView(state, params.id, account.id);
    const { room, me } = view;
    const seq = body?.seq ?? Number.MAX_SAFE_INTEGER;
    const readSeq = Math.max(Math.min(seq, room.lastSeq), me.readSeq);
    const isEverything = seq === Number.MAX_SAFE_INTEGER;
    if (me.isMarkedUnread && (readSeq > me.readSeq || isEverything)) {
      me.isMarkedUnread = false;
      saveSettings(state, view);
    }
    if (readSeq > me.readSeq) {
      me.readSeq = readSeq;
      tellReceipt(state, view, { readSeq });
      const unreadMessagesCount = unreadCount(state, view);
      const payload = { chatroom: room.id, readSeq, unreadMessagesCount, rev: room.lastRev };
      emit(state, [account.id], { name: 'chat-read', payload });
    }
    return { readSeq, unreadMessagesCount: unreadCount(state, view) };
  },

  reportDelivered: ({ state, account, body }) => {
    for (const [id, deliveredSeq] of Object.entries(body.rooms)) {
      const view = findViewOfMember(state, id, account.id);
      if (view) tellReceipt(state, view, { deliveredSeq });
    }
    return { ok: true };
  },

  acceptChat: ({ state, account, params }) => changeMember(state, params.id, account.id, accept),

  declineRequest: ({ state, account, params }) =>
    changeMember(state, params.id, account.id, ({ room, me }) => {
      if (me.consent === 'accepted') throw new Refusal('already_accepted');
      if (me.consent === 'declined') return false;
      resetSettings(me);
      Object.assign(me, {
        consent: 'declined',
        clearedSeq: room.lastSeq,
        readSeq: room.lastSeq,
      });
      return true;
    }),

  blockPartner: ({ state, account, params }) =>
    changeMember(state, params.id, account.id, ({ room, me }) => {
      if (me.blockedAt !== undefined) return false;
      // A block right after another one continues it.
      if (me.blockEndSeq !== room.lastSeq) me.blockStartSeq = room.lastSeq;
      unpin(me);
      Object.assign(me, { blockedAt: Date.now(), readSeq: room.lastSeq });
      return true;
    }),

  unblockPartner: ({ state, account, params }) =>
    changeMember(state, params.id, account.id, ({ room, me }) => {
      if (me.blockedAt === undefined) return false;
      const { lastSeq } = room;
      Object.assign(me, { blockedAt: undefined, readSeq: lastSeq, blockEndSeq: lastSeq });
      return true;
    }),

  changeChatSettings: ({ state, account, params, body }) => {
    const mutedUntil =
      typeof body.mutedUntil === 'string' ? parseTime(body.mutedUntil) : body.mutedUntil;
    const view = findListedView(state, params.id, account.id);
    const { me, partnerAccount } = view;
    if (me.blockedAt !== undefined) throw new Refusal('partner_blocked');
    if (isQuietRequest(me)) throw new Refusal('request_not_accepted');
    if (body.isPinned && body.isArchived) throw new Refusal('invalid_request');
    const wasArchived = isArchived(view);
    const willBeArchived = body.isPinned ? false : (body.isArchived ?? wasArchived);
    const willBePinned = willBeArchived ? false : (body.isPinned ?? me.isPinned);
    const next = {
      isPinned: willBePinned,
      mutedUntil: mutedUntil === undefined ? me.mutedUntil : (mutedUntil ?? undefined),
      isMarkedUnread: body.isMarkedUnread ?? me.isMarkedUnread,
    };
    const isSame =
      wasArchived === willBeArchived &&
      next.isPinned === me.isPinned &&
      next.mutedUntil === me.mutedUntil &&
      next.isMarkedUnread === me.isMarkedUnread;
    if (isSame) return settingsOf(view);
    if (next.isPinned && !me.isPinned) {
      if (!partnerAccount) throw new Refusal('partner_deleted');
      if (countPinned(state, account.id) >= LIMITS.pinnedChatsMax) throw new Refusal('pin_limit');
    }
    const archivedSeq = archivedSeqOf(view, body.archivedSeq, wasArchived);
    Object.assign(me, next, { archivedSeq: willBeArchived ? archivedSeq : undefined });
    return saveSettings(state, view);
  },

  listBlocked: ({ state, account }) => ({
    blocked: listViews(state, account.id)
      .flatMap(({ room, me, partnerAccount }) =>
        me.blockedAt === undefined
          ? []
          : [
              {
                chatId: room.id,
                username: partnerAccount?.username ?? DELETED_USER,
                isDeletedAccount: partnerAccount === undefined,
                blockedAt: toTimestamp(me.blockedAt),
              },
            ],
      )
      .toSorted((a, b) => (a.blockedAt < b.blockedAt ? 1 : -1)),
  }),
} satisfies UserHandlers;

function toSortKey({ chatId, isDeletedAccount, activeAt, settings }: ChatSummary) {
  const isPinned = settings?.isPinned ?? false;
  return { id: chatId, isDeleted: isDeletedAccount, isPinned, activeAt };
}

/** Messages of the partner after the returned position take the chat out of the archive. */
function archivedSeqOf({ room, me }: View, seq = room.lastSeq, wasArchived: boolean): number {
  if (wasArchived || seq >= room.lastSeq) return room.lastSeq;
  const hasNews = room.messages.some(
    (message) =>
      message.seq > seq &&
      message.senderId !== me.accountId &&
      !message.isDeleted &&
      isShownToPartner(me, message),
  );
  return hasNews ? seq : room.lastSeq;
}

function countPinned(state: State, accountId: string): number {
  return listViews(state, accountId).filter(
    ({ me, partnerAccount }) => me.isPinned && partnerAccount !== undefined,
  ).length;
}

function selectPage(
  all: readonly StoredMessage[],
  {
    before = Infinity,
    after,
    around,
    limit = LIMITS.pageDefault,
  }: { before?: number; after?: number; around?: number; limit?: number },
): { messages: StoredMessage[]; hasMore: boolean; hasNewer: boolean } {
  if (around !== undefined) {
    const newer = all.filter(({ seq }) => seq >= around);
    const upper = newer.slice(0, Math.ceil(limit / 2));
    const older = all.filter(({ seq }) => seq < around);
    const room = limit - upper.length;
    const lower = room === 0 ? [] : older.slice(-room);
    return {
      messages: [...lower, ...upper],
      hasMore: lower.length < older.length,
      hasNewer: upper.length < newer.length,
    };
  }
  if (after !== undefined) {
    const newer = all.filter(({ seq }) => seq > after);
    const messages = newer.slice(0, limit);
    const first = messages[0]?.seq ?? after + 1;
    return {
      messages,
      hasMore: all.some(({ seq }) => seq < first),
      hasNewer: messages.length < newer.length,
    };
  }
  const older = all.filter(({ seq }) => seq < before);
  const messages = older.slice(-limit);
  return { messages, hasMore: messages.length < older.length, hasNewer: false };
}
