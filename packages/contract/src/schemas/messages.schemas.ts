import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp } from './common.schemas.ts';

/** The kind of a message. */
export const Kind = Type.Union([
  Type.Literal('text'),
  Type.Literal('image'),
  Type.Literal('audio'),
]);
export type MessageKind = Static<typeof Kind>;

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
  media: Type.Optional(MediaInfo),
  isRequest: Type.Optional(
    Type.Boolean({
      description:
        'Only in the live event `message`: present and true if the recipient has not accepted the sender',
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

/** A text to send. The stored text may be shorter, because the server removes blank lines. */
export const Content = Type.String({ minLength: 1, maxLength: LIMITS.messageMax * 2 });

/** A message to send. `clientId` makes retries safe. */
export const SendBody = Type.Object({
  chatroom: Id,
  content: Content,
  clientId: Type.Optional(Id),
  kind: Type.Optional(
    Type.Union([Type.Literal('image'), Type.Literal('audio')], {
      description:
        'Responds with `media_not_found` unless `content` is the URL of an unsent upload of this ' +
        'kind. Otherwise such content is stored as text.',
    }),
  ),
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
