import { Type, type Static } from 'typebox';
import { LIMITS, MUTED_ALWAYS } from '../limits.ts';
import { Id, Timestamp, Volume, flag, oneOf } from './common.schemas.ts';
import { DeletedMessage, Kind, LastReaction, Message, MESSAGE_BODY } from './messages.schemas.ts';

/** Any string is accepted as an id. A malformed id means that the chatroom does not exist. */
export const ChatroomParams = Type.Object({ id: Type.String() });
export type ChatroomParams = Static<typeof ChatroomParams>;

/** The number of unread messages of a chatroom. */
export const UnreadCount = Type.Integer({
  description: `Messages of the partner after the read position, up to ${LIMITS.unreadMax}`,
});

/**
 * The status of a chat for the current user: accepted, undecided (the partner is not accepted yet, but writes like
 * any other), a quiet request, blocked, or none (a declined request, which is no longer listed).
 */
export const ChatStatus = oneOf('accepted', 'undecided', 'request', 'blocked', 'none');
export type ChatStatus = Static<typeof ChatStatus>;

/** How the current user has set a chat. The partner never learns of it. */
export const ChatSettings = Type.Object({
  isPinned: flag(`if the chat is pinned. Up to ${LIMITS.pinnedChatsMax} are`),
  pinRank: Type.Optional(
    Type.Integer({
      description:
        'Only with isPinned: place among the pinned chats, of which the highest is first',
    }),
  ),
  isArchived: flag(
    'if the chat is archived. A message of the partner ends that, unless it was sent before mutedUntil',
  ),
  mutedUntil: Type.Optional(
    Type.String({
      description: `ISO 8601, UTC: the chat is muted until then; ${MUTED_ALWAYS} if always. May be over`,
    }),
  ),
  isMarkedUnread: flag(
    'if the user has marked the chat as unread, or the partner has accepted an invitation, and the user has not opened it since',
  ),
});
export type ChatSettings = Static<typeof ChatSettings>;

/** The settings of a chat to change. */
export const ChatSettingsBody = Type.Object({
  isPinned: Type.Optional(
    Type.Boolean({ description: 'Pinning an archived chat takes it out of the archive' }),
  ),
  isArchived: Type.Optional(Type.Boolean({ description: 'Archiving unpins the chat' })),
  archivedSeq: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With isArchived: seq of the newest message that the user knew. Later ones of the partner take ' +
        'the chat out of the archive. All by default',
    }),
  ),
  mutedUntil: Type.Optional(
    Type.Union([Type.String({ maxLength: 40, description: 'ISO 8601' }), Type.Null()]),
  ),
  isMarkedUnread: Type.Optional(Type.Boolean({ description: 'Does not change the read position' })),
});
export type ChatSettingsBody = Static<typeof ChatSettingsBody>;

/**
 * A chat as the current user sees it, at a revision of its chatroom and one of the user's membership. Of two states, the
 * newest message, the reaction and the unread messages are those of the greater `rev`, and everything else is that
 * of the greater `memberRev`. If one of these is equal, the other one decides about everything.
 */
export const ChatState = Type.Object({
  chatId: Id,
  rev: Type.Integer({ description: 'Revision of the chatroom, to request changes since' }),
  memberRev: Type.Integer({
    description: 'Revision of the membership. Increases when something changes without a new `rev`',
  }),
  usernames: Type.Array(Type.String(), { description: 'The other participants' }),
  isDeletedAccount: Type.Boolean(),
  status: ChatStatus,
  isSentAsRequest: flag(
    'if the messages of the current user arrive as a quiet request, which the partner has not accepted',
  ),
  lastMessage: Type.Union([
    Type.Object({
      content: Type.String({ description: 'The first 1,000 characters of a text' }),
      sender: Type.String({ description: 'User id. Equals currentUserId for own messages' }),
      kind: Kind,
      seq: Type.Integer(),
    }),
    Type.Null(),
  ]),
  currentUserId: Id,
  timestamps: Type.Array(Timestamp, { description: 'Time of the newest message, if there is one' }),
  activeAt: Type.String({
    description:
      'ISO 8601, UTC: time of the newest message or of the creation of the chatroom, or its `activeAt`. The list is sorted by it',
  }),
  lastReaction: Type.Optional(LastReaction),
  unreadMessagesCount: UnreadCount,
  readSeq: Type.Integer({ description: 'Read position of the current user' }),
  clearedSeq: Type.Optional(
    Type.Integer({
      description:
        'Only if the current user has declined a request or deleted the chat: no message of the partner up to this `seq` exists for the user any more',
    }),
  ),
  ownClearedSeq: Type.Optional(
    Type.Integer({
      description:
        'Only if the current user has deleted the chat: no own message up to this `seq` exists for the user any more',
    }),
  ),
  isRemoved: flag(
    'if the current user has deleted the chat, and has not searched for the partner or pinned it since. Without `lastMessage` it is not listed then',
  ),
  partnerDeliveredSeq: Type.Optional(
    Type.Integer({
      description:
        'Own messages up to this seq have reached a device of the partner. Omitted if 0, or unless both members share receipts and have accepted each other',
    }),
  ),
  partnerReadSeq: Type.Optional(
    Type.Integer({ description: 'The partner has read the messages up to this seq' }),
  ),
  invitationAcceptedAt: Type.Optional(
    Type.String({
      description:
        'ISO 8601, UTC: when the partner accepted an invitation of the current user. The chat is marked as unread then. ' +
        'Omitted if that never happened, if one had blocked the other then, or if the account of the partner is deleted',
    }),
  ),
  settings: Type.Optional(ChatSettings),
});
export type ChatState = Static<typeof ChatState>;

/** Up to where to delete a chat. */
export const DeleteChatBody = Type.Object({
  seq: Type.Integer({
    minimum: 0,
    description: '`seq` of the newest message that the user knew',
  }),
});
export type DeleteChatBody = Static<typeof DeleteChatBody>;

/** The new order of the pinned chats. */
export const PinOrderBody = Type.Object({
  chats: Type.Array(Id, {
    maxItems: LIMITS.pinnedChatsMax,
    description: 'The pinned chats, first one first. Others of the user stay above them',
  }),
});
export type PinOrderBody = Static<typeof PinOrderBody>;

/** All pinned chats, first one first. */
export const PinnedChats = Type.Object({ chats: Type.Array(ChatState) });
export type PinnedChats = Static<typeof PinnedChats>;

/** The new state of a chat. */
export const ChangedChat = Type.Object({ chat: ChatState });
export type ChangedChat = Static<typeof ChangedChat>;

/** All chatrooms of the current user: pinned ones first in their order, deleted accounts last, newest first. */
export const ChatList = Type.Object({
  chatrooms: Type.Array(ChatState),
  currentUsername: Type.String(),
  volume: Volume,
});
export type ChatList = Static<typeof ChatList>;

/** The users whom the current user has blocked, most recently blocked first. */
export const BlockedList = Type.Object({
  blocked: Type.Array(
    Type.Object({
      chatId: Id,
      username: Type.String(),
      isDeletedAccount: Type.Boolean(),
      blockedAt: Timestamp,
    }),
  ),
});
export type BlockedList = Static<typeof BlockedList>;

/** An exact username; case is ignored. */
export const FindUserBody = Type.Object({ username: Type.String({ minLength: 1, maxLength: 64 }) });
export type FindUserBody = Static<typeof FindUserBody>;

/** The user that was found and their chatroom with the current user. */
export const FindUserResponse = Type.Object({
  chatroom: Type.String({ description: 'A chatroom id, or `new-chatroom`' }),
  partnerName: Type.String(),
  isClosed: flag('if the user accepts no first messages'),
  wasRequest: flag('if the chatroom was a quiet request, which this accepted'),
});
export type FindUserResponse = Static<typeof FindUserResponse>;

/** A new chatroom with its first message. `clientId` makes retries safe. */
export const CreateChatroomBody = Type.Object({
  partnerName: Type.String({ minLength: 1, maxLength: 64 }),
  ...MESSAGE_BODY,
  clientId: Type.Optional(Id),
});
export type CreateChatroomBody = Static<typeof CreateChatroomBody>;

/** The new or existing chatroom. */
export const CreateChatroomResponse = Type.Object({ chatroomId: Id });
export type CreateChatroomResponse = Static<typeof CreateChatroomResponse>;

/** The page of messages to return. */
export const PageQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only messages with a lower seq' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageMax,
      default: LIMITS.pageDefault,
      description: 'Maximum number of messages. Long messages shorten the page',
    }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The oldest messages with a higher seq. Takes precedence over `before`',
    }),
  ),
  around: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Messages before and from this seq, about half of each. Takes precedence over the others',
    }),
  ),
});
export type PageQuery = Static<typeof PageQuery>;

/** A chatroom with a page of messages. */
export const Chatroom = Type.Object({
  chat: ChatState,
  chatroomMessages: Type.Array(Message, { description: 'One page, oldest first' }),
  currentUsername: Type.String(),
  partnerName: Type.String({ description: '`deletedUser` if the account was deleted' }),
  unreadMessagesCount: UnreadCount,
  volume: Volume,
  hasMore: Type.Boolean({ description: 'Whether older messages exist' }),
  hasNewer: Type.Optional(
    Type.Boolean({
      description: 'Only with `after` or `around`: present and true if newer messages exist',
    }),
  ),
});
export type Chatroom = Static<typeof Chatroom>;

/** The new read position. Without a body or `seq`, everything is marked as read. */
export const MarkAsReadBody = Type.Union([
  Type.Object({ seq: Type.Optional(Type.Integer({ minimum: 0 })) }),
  Type.Null(),
]);
export type MarkAsReadBody = Static<typeof MarkAsReadBody>;

/** The `seq` of the newest message on the device by chatroom. */
export const DeliveredBody = Type.Object({
  rooms: Type.Record(Id, Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    additionalProperties: false,
    maxProperties: LIMITS.changesChatroomsMax,
  }),
});
export type DeliveredBody = Static<typeof DeliveredBody>;

/** The client's last known revisions by chatroom. */
export const ChangesBody = Type.Object({
  since: Type.Record(Id, Type.Integer({ minimum: 0 }), {
    additionalProperties: false,
    maxProperties: LIMITS.changesChatroomsMax,
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 500 })),
});
export type ChangesBody = Static<typeof ChangesBody>;

/**
 * Changes by chatroom, sorted by `rev`. While `hasMore` is true, clients repeat the request with
 * the new revisions.
 */
export const Changes = Type.Object({
  rooms: Type.Array(
    Type.Object({
      chat: ChatState,
      rev: Type.Integer({ description: 'The revision that the client now has' }),
      updated: Type.Array(Message, { description: 'New or edited' }),
      deleted: Type.Array(DeletedMessage),
    }),
  ),
  /** Requested chatrooms that are not, or no longer, the current user's. */
  gone: Type.Array(Id),
  hasMore: Type.Boolean(),
});
export type Changes = Static<typeof Changes>;
