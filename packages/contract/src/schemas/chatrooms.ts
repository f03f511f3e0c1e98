import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp, Volume } from './common.ts';
import { Content, DeletedMessage, Kind, Message } from './messages.ts';

/** Any string: what is no room's id is a room that does not exist. */
export const ChatroomParams = Type.Object({ id: Type.String() });
export type ChatroomParams = Static<typeof ChatroomParams>;

const UnreadCount = Type.Integer({
  description: `Messages of the partner after the read position, up to ${LIMITS.unreadMax}`,
});

/** A room in the list of chats. */
export const ChatSummary = Type.Object({
  chatId: Id,
  usernames: Type.Array(Type.String(), { description: 'The other participants' }),
  isDeletedAccount: Type.Boolean(),
  lastMessage: Type.Union([
    Type.Object({
      content: Type.String({ description: 'Of a text its first 1,000 characters' }),
      sender: Type.String({ description: 'User id: own if it equals currentUserId' }),
      kind: Kind,
    }),
    Type.Null(),
  ]),
  currentUserId: Id,
  timestamps: Type.Array(Timestamp, { description: "The newest message's time, if there is one" }),
  activeAt: Type.String({
    description:
      "ISO 8601, UTC: the newest message's time, or the room's creation; the list's order",
  }),
  unreadMessagesCount: UnreadCount,
  rev: Type.Integer({ description: "The room's revision: what to catch up from" }),
});
export type ChatSummary = Static<typeof ChatSummary>;

/** All rooms of the reader, the newest first, those of deleted accounts last. */
export const ChatList = Type.Object({
  chatrooms: Type.Array(ChatSummary),
  currentUsername: Type.String(),
  volume: Volume,
});
export type ChatList = Static<typeof ChatList>;

/** An exact username; case is ignored. */
export const FindUserBody = Type.Object({ username: Type.String({ minLength: 1, maxLength: 64 }) });
export type FindUserBody = Static<typeof FindUserBody>;

/** Where to go on with the person who was found. */
export const FindUserResponse = Type.Object({
  chatroom: Type.String({ description: 'A room id, or `new-chatroom`' }),
  partnerName: Type.String(),
});
export type FindUserResponse = Static<typeof FindUserResponse>;

/** A new room with its first message. `clientId` makes a repeated request safe. */
export const CreateChatroomBody = Type.Object({
  partnerName: Type.String({ minLength: 1, maxLength: 64 }),
  content: Content,
  clientId: Type.Optional(Id),
});
export type CreateChatroomBody = Static<typeof CreateChatroomBody>;

/** The room, new or existing. */
export const CreateChatroomResponse = Type.Object({ chatroomId: Id });
export type CreateChatroomResponse = Static<typeof CreateChatroomResponse>;

/** Which page of a room. */
export const PageQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only messages with a lower seq' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageMax,
      default: LIMITS.pageDefault,
      description: 'Messages at most; long ones fill a page sooner',
    }),
  ),
});
export type PageQuery = Static<typeof PageQuery>;

/** A room with one page of its messages. */
export const Chatroom = Type.Object({
  chatroomMessages: Type.Array(Message, { description: 'One page, oldest first' }),
  currentUsername: Type.String(),
  partnerName: Type.String({ description: '`deletedUser` if the account is gone' }),
  unreadMessagesCount: UnreadCount,
  volume: Volume,
  hasMore: Type.Boolean({ description: 'Whether older messages exist' }),
  readSeq: Type.Integer({ description: 'Up to which seq the reader has read' }),
  rev: Type.Integer(),
});
export type Chatroom = Static<typeof Chatroom>;

/** Without a body, or without `seq`, everything up to the newest message is read. */
export const MarkAsReadBody = Type.Union([
  Type.Object({ seq: Type.Optional(Type.Integer({ minimum: 0 })) }),
  Type.Null(),
]);
export type MarkAsReadBody = Static<typeof MarkAsReadBody>;

/** How far the reader has read now. */
export const MarkAsReadResponse = Type.Object({
  readSeq: Type.Integer(),
  unreadMessagesCount: UnreadCount,
});
export type MarkAsReadResponse = Static<typeof MarkAsReadResponse>;

/** The last revision that the client has of each room. */
export const ChangesBody = Type.Object({
  since: Type.Record(Id, Type.Integer({ minimum: 0 }), {
    additionalProperties: false,
    maxProperties: LIMITS.changesRoomsMax,
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 500 })),
});
export type ChangesBody = Static<typeof ChangesBody>;

/** What changed, by room, in the order of `rev`. Ask again with the new revisions while `hasMore`. */
export const Changes = Type.Object({
  rooms: Type.Array(
    Type.Object({
      chatId: Id,
      rev: Type.Integer({ description: 'The revision that the client now has' }),
      updated: Type.Array(Message, { description: 'New or edited' }),
      deleted: Type.Array(DeletedMessage),
      partnerName: Type.String(),
      readSeq: Type.Integer(),
      unreadMessagesCount: UnreadCount,
    }),
  ),
  /** Rooms that were asked about and are not (or no longer) the reader's. */
  gone: Type.Array(Id),
  hasMore: Type.Boolean(),
});
export type Changes = Static<typeof Changes>;
