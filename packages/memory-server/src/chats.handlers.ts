import {
  acceptsFirstMessages,
  compareChats,
  DELETED_USER,
  LIMITS,
  MUTED_ALWAYS,
  NEW_CHATROOM,
  type Changes,
  type ChatState,
} from '@parley/contract';
import {
  listAgain,
  tellAcceptance,
  tellMemberChange,
  tellReceipt,
  toChatState,
} from './member-states.ts';
import type { UserHandlers } from './endpoint-handlers.ts';
import { isShownToPartner, isVisible, toView, visibleMessages } from './message-views.ts';
import { Refusal } from './refusal.ts';
import { toTimestamp, type State, type StoredMessage } from './state.ts';
import {
  findListedView,
  findPartner,
  findView,
  findViewOfMember,
  isArchived,
  isQuietRequest,
  listViews,
  unreadCount,
  viewOf,
  type View,
} from './views.ts';

/** Changes the status of a chat for a member unless `decide` returns false. */
function changeMember(
  state: State,
  id: string,
  accountId: string,
  decide: (view: View) => boolean,
): { chat: ChatState } {
  const view = findView(state, id, accountId);
  const wasAccepted = view.me.consent === 'accepted';
  if (!decide(view)) return { chat: toChatState(state, view) };
  if (!wasAccepted && view.me.consent === 'accepted') {
    tellAcceptance(state, view, view.me.readSeq);
  }
  return { chat: tellMemberChange(state, view) };
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
    listAgain(state, viewOf(state, room, account.id));
    return { chatroom: room.id, partnerName, ...(wasRequest && { wasRequest }) };
  },

  listChats: ({ state, account }) => {
    const views = listViews(state, account.id).filter(
      ({ room, me, partnerAccount }) =>
        me.blockedAt === undefined &&
        me.consent !== 'declined' &&
        (!isQuietRequest(me) || partnerAccount) &&
        (!me.isRemoved || visibleMessages(state, room, account.id).length > 0),
    );
    const chatrooms = views
      .map((view) => toChatState(state, view))
      .toSorted((a, b) => compareChats(toSortKey(a), toSortKey(b)));
    return { chatrooms, currentUsername: account.username, volume: account.volume };
  },

  getChatroom: ({ state, account, params, query }) => {
    const view = findListedView(state, params.id, account.id);
    const { room, partnerAccount } = view;
    const all = visibleMessages(state, room, account.id);
    const { messages, hasMore, hasNewer } = selectPage(all, query);
    return {
      chat: toChatState(state, view),
      chatroomMessages: messages.map((message) => toView(state, room, message, account.id)),
      currentUsername: account.username,
      partnerName: partnerAccount?.username ?? DELETED_USER,
      unreadMessagesCount: unreadCount(state, view),
      volume: account.volume,
      hasMore,
      ...(hasNewer && { hasNewer }),
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
      const { room } = view;
      const changed = room.messages
        .filter(({ rev }) => rev > (body.since[room.id] ?? 0))
        .toSorted((a, b) => a.rev - b.rev);
      const isShown = (message: StoredMessage) => isVisible(state, room, message, account.id);
      return {
        chat: toChatState(state, view),
        rev: room.lastRev,
        updated: changed.filter(isShown).map((each) => toView(state, room, each, account.id)),
        deleted: changed
          .filter((message) => !isShown(message))
          .map(({ id, seq, rev }) => ({ _id: id, chatroom: room.id, seq, rev })),
      };
    });
    return { rooms, gone: ids.filter((id) => !known.has(id)), hasMore: false };
  },

  markAsRead: ({ state, account, params, body }) => {
    const view = findListedView(state, params.id, account.id);
    const { room, me } = view;
    const seq = body?.seq ?? Number.MAX_SAFE_INTEGER;
    const readSeq = Math.max(Math.min(seq, room.lastSeq), me.readSeq);
    const isEverything = seq === Number.MAX_SAFE_INTEGER;
    const hasMoved = readSeq > me.readSeq;
    if (!hasMoved && !(me.isMarkedUnread && isEverything))
      return { chat: toChatState(state, view) };
    Object.assign(me, { readSeq, isMarkedUnread: false });
    if (hasMoved) tellReceipt(state, view, { readSeq });
    return { chat: tellMemberChange(state, view) };
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
      Object.assign(me, {
        consent: 'declined',
        clearedSeq: room.lastSeq,
        isPinned: false,
        archivedSeq: undefined,
        mutedUntil: undefined,
        isMarkedUnread: false,
      });
      return true;
    }),

  deleteChat: ({ state, account, params, body }) => {
    findListedView(state, params.id, account.id);
    return changeMember(state, params.id, account.id, (view) => {
      const { room, me } = view;
      const seq = Math.min(body.seq, room.lastSeq);
      const next = {
        clearedSeq: Math.max(me.clearedSeq, seq),
        ownClearedSeq: Math.max(me.ownClearedSeq, seq),
        // What a member has read is told to a partner whom the member accepts later.
        readSeq: me.consent === 'accepted' ? Math.max(me.readSeq, seq) : me.readSeq,
        isRemoved: true,
        isPinned: false,
        archivedSeq: undefined,
        isMarkedUnread: false,
      };
      const isSame = (Object.keys(next) as (keyof typeof next)[]).every(
        (key) => me[key] === next[key],
      );
      Object.assign(me, next);
      if (!isSame) {
        state.exports = state.exports.filter(
          ({ ownerId, info }) => ownerId !== account.id || info.chatroom !== room.id,
        );
      }
      return !isSame;
    });
  },

  blockPartner: ({ state, account, params }) =>
    changeMember(state, params.id, account.id, ({ room, me }) => {
      if (me.blockedAt !== undefined) return false;
      // A block right after another one continues it.
      if (me.blockEndSeq !== room.lastSeq) me.blockStartSeq = room.lastSeq;
      Object.assign(me, { blockedAt: Date.now(), readSeq: room.lastSeq, isPinned: false });
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
    if (isSame) return { chat: toChatState(state, view) };
    if (next.isPinned && !me.isPinned) {
      if (!partnerAccount) throw new Refusal('partner_deleted');
      const pinned = listPinned(state, account.id);
      if (pinned.length >= LIMITS.pinnedChatsMax) throw new Refusal('pin_limit');
      me.pinRank = Math.max(0, ...pinned.map((each) => each.me.pinRank)) + 1;
      me.isRemoved = false;
    }
    const archivedSeq = archivedSeqOf(view, body.archivedSeq, wasArchived);
    Object.assign(me, next, { archivedSeq: willBeArchived ? archivedSeq : undefined });
    return { chat: tellMemberChange(state, view) };
  },

  orderPinnedChats: ({ state, account, body }) => {
    const placeOf = ({ room }: View): number => body.chats.lastIndexOf(room.id);
    const ordered = listPinned(state, account.id)
      .map((view) => ({ view, chat: toChatState(state, view) }))
      .toSorted((a, b) => compareChats(toSortKey(a.chat), toSortKey(b.chat)))
      .toSorted((a, b) => placeOf(a.view) - placeOf(b.view));
    const chats = ordered.map(({ view, chat }, index) => {
      const pinRank = ordered.length - index;
      if (view.me.pinRank === pinRank) return chat;
      view.me.pinRank = pinRank;
      return tellMemberChange(state, view);
    });
    return { chats };
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

function toSortKey({ chatId, isDeletedAccount, activeAt, settings = {} }: ChatState) {
  const { isPinned = false, pinRank = 0 } = settings;
  return { id: chatId, isDeleted: isDeletedAccount, isPinned, pinRank, activeAt };
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

function listPinned(state: State, accountId: string): View[] {
  return listViews(state, accountId).filter(
    ({ me, partnerAccount }) => me.isPinned && partnerAccount !== undefined,
  );
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
