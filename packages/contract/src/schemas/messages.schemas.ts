import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp, flag } from './common.schemas.ts';

/** The kind of a message, for clients. */
export const Kind = Type.String({
  description:
    '`text`, `image` or `audio`. Clients display `content` as text if they do not know it, as newer servers have more',
});

/**
 * Heights of a waveform's bars, from 0 to 100 for the loudest. Forms contain them as JSON in
 * the field `peaks`, before the file.
 */
export const Peaks = Type.Array(Type.Integer({ minimum: 0, maximum: LIMITS.peakMax }), {
  minItems: 1,
  maxItems: LIMITS.peaksMax,
});

/** Information about an upload that clients need before fetching it. */
export const MediaInfo = Type.Object({
  width: Type.Optional(Type.Integer({ description: 'Pixels, orientation applied' })),
  height: Type.Optional(Type.Integer({ description: 'Pixels, orientation applied' })),
  isBlocked: Type.Optional(
    Type.Boolean({
      description: 'Whether the image is hidden because rendering it could freeze a device',
    }),
  ),
  duration: Type.Optional(Type.Integer({ description: 'Duration of a recording in milliseconds' })),
  peaks: Type.Optional(Peaks),
});
export type MediaInfo = Static<typeof MediaInfo>;

/** An emoji with which members reacted to a message, and their names in the order of the reactions. */
export const Reaction = Type.Object({
  emoji: Type.String({ description: 'An emoji, or `:circassia:`' }),
  usernames: Type.Array(Type.String()),
});
export type Reaction = Static<typeof Reaction>;

/**
 * Consecutive messages of a sender with the same id are displayed as one: images, then a caption. The
 * sender's client chooses it.
 */
const AlbumId = Type.Optional(Id);

const IsForwarded = flag('if the sender forwarded the message from a chat');

/** The message that another one replies to, as the current user sees it. */
export const Quote = Type.Object({
  messageId: Id,
  seq: Type.Integer({ description: 'Its position in the chatroom' }),
  username: Type.String({ description: 'Its sender. Empty if it is deleted' }),
  kind: Kind,
  content: Type.String({
    description:
      `The first ${LIMITS.quoteExcerpt} characters of a text, or the URL of an image that may be ` +
      'displayed. Otherwise empty',
  }),
  isDeleted: flag('if it is deleted, or the current user cannot see it'),
});
export type Quote = Static<typeof Quote>;

/** A message. */
export const Message = Type.Object({
  _id: Id,
  chatroom: Id,
  content: Type.String({ description: 'A text, or the URL of an uploaded image or recording' }),
  sender: Type.Object({ username: Type.String() }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  seq: Type.Integer({ description: 'Position in the chatroom: 1, 2, 3 …' }),
  rev: Type.Integer({ description: 'Revision of the chatroom in which the message last changed' }),
  kind: Kind,
  clientId: Type.Optional(Id),
  albumId: AlbumId,
  isForwarded: IsForwarded,
  activeAt: Type.Optional(
    Type.String({
      description:
        'ISO 8601, UTC. Only if the clock of the server had been put back: the place of the message in the order of all messages, instead of `createdAt`',
    }),
  ),
  media: Type.Optional(MediaInfo),
  reactions: Type.Optional(
    Type.Array(Reaction, {
      description: 'Present if there are reactions, ordered by the first one with each emoji',
    }),
  ),
  replyTo: Type.Optional(Quote),
  isRequest: Type.Optional(
    Type.Boolean({
      description:
        'Only in the live event `message`: present and true if the message is part of a quiet request',
    }),
  ),
  isUndecided: Type.Optional(
    Type.Boolean({
      description:
        'Only in the live event `message`: present and true if the recipient has not accepted the sender, whose messages arrive as any others',
    }),
  ),
  isSentAsRequest: Type.Optional(
    Type.Boolean({
      description:
        'Only for the sender, in the live event `message` and the response to sending: present and true if the message arrives as part of a quiet request',
    }),
  ),
});
export type Message = Static<typeof Message>;

/** The remaining fields of a deleted message. */
export const DeletedMessage = Type.Object({
  _id: Id,
  chatroom: Id,
  seq: Type.Integer(),
  rev: Type.Integer(),
});
export type DeletedMessage = Static<typeof DeletedMessage>;

/** A text to send, with a visible character. The stored text may be shorter, because the server removes blank lines. */
const Content = Type.String({ minLength: 1, maxLength: LIMITS.messageMax * 2 });

/**
 * What a message consists of, either of the two: `content`, which is a text or the URL of an upload, or `uploadId`.
 * With the id, `media_not_found` means that the upload is not an unsent one of the current user.
 */
export const MESSAGE_BODY = {
  content: Type.Optional(Content),
  uploadId: Type.Optional(Id),
};

/** A message to send. `clientId` makes retries safe. */
export const SendBody = Type.Object({
  chatroom: Id,
  ...MESSAGE_BODY,
  clientId: Type.Optional(Id),
  kind: Type.Optional(
    Type.Union([Type.Literal('image'), Type.Literal('audio')], {
      description:
        'Responds with `media_not_found` unless the upload is an unsent one of this kind. Without ' +
        'it, the URL of any other upload is stored as text.',
    }),
  ),
  albumId: AlbumId,
  isForwarded: IsForwarded,
  /**
   * Id of the message of the chatroom to reply to. Without effect if there is none that the user may
   * see, so that nothing typed is lost. One that was deleted in the meantime is shown as deleted.
   */
  replyTo: Type.Optional(Id),
});
export type SendBody = Static<typeof SendBody>;

/** A new text for a message of the current user. */
export const EditBody = Type.Object({ messageId: Id, content: Content });
export type EditBody = Static<typeof EditBody>;

/** The message to delete, which must be the current user's. `content` is ignored. */
export const DeleteBody = Type.Object({
  messageId: Id,
  content: Type.Optional(Type.String()),
});
export type DeleteBody = Static<typeof DeleteBody>;

/** A reaction to add or to take back. */
export const ReactBody = Type.Object({
  messageId: Id,
  emoji: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A single emoji (RGI_Emoji of Unicode), or `:circassia:`',
  }),
  isOn: Type.Boolean({ description: 'Whether to add the reaction. Otherwise takes it back' }),
});
export type ReactBody = Static<typeof ReactBody>;

/** A reaction of the partner to a message of the current user, as shown in the chat list. */
export const LastReaction = Type.Object({
  messageId: Id,
  emoji: Type.String(),
  content: Type.String({
    description: `The first ${LIMITS.reactionExcerpt} characters of a text; empty for media`,
  }),
  kind: Kind,
  createdAt: Timestamp,
});
export type LastReaction = Static<typeof LastReaction>;
