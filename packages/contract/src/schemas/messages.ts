import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp } from './common.ts';

/** What a message is. */
export const Kind = Type.Union([
  Type.Literal('text'),
  Type.Literal('image'),
  Type.Literal('audio'),
]);
export type MessageKind = Static<typeof Kind>;

/**
 * Heights of a waveform's bars, from 0 to 100 for the loudest moment. A form has it as JSON in the
 * field `peaks`, before the file.
 */
export const Peaks = Type.Array(Type.Integer({ minimum: 0, maximum: LIMITS.peakMax }), {
  minItems: 1,
  maxItems: LIMITS.peaksMax,
});

/** What a client needs to know of an upload before it fetches it. */
export const MediaInfo = Type.Object({
  width: Type.Optional(Type.Integer({ description: 'Pixels, orientation applied' })),
  height: Type.Optional(Type.Integer({ description: 'Pixels, orientation applied' })),
  isBlocked: Type.Optional(
    Type.Boolean({ description: 'The picture is not shown any more, as it would cost too much' }),
  ),
  duration: Type.Optional(Type.Integer({ description: 'Of a recording, in milliseconds' })),
  peaks: Type.Optional(Peaks),
});
export type MediaInfo = Static<typeof MediaInfo>;

/** A message as its room sees it. */
export const Message = Type.Object({
  _id: Id,
  chatroom: Id,
  content: Type.String({ description: 'Text, or the URL of an uploaded picture or recording' }),
  sender: Type.Object({ username: Type.String() }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  seq: Type.Integer({ description: 'Its place in the room: 1, 2, 3 …' }),
  rev: Type.Integer({ description: "The room's revision in which it last changed" }),
  kind: Kind,
  clientId: Type.Optional(Id),
  media: Type.Optional(MediaInfo),
});
export type Message = Static<typeof Message>;

/** What is left of a deleted message. */
export const DeletedMessage = Type.Object({
  _id: Id,
  chatroom: Id,
  seq: Type.Integer(),
  rev: Type.Integer(),
});
export type DeletedMessage = Static<typeof DeletedMessage>;

/** Raw text may be longer than what is stored, as blank lines are dropped first. */
export const Content = Type.String({ minLength: 1, maxLength: LIMITS.messageMax * 2 });

/** A message to send. `clientId` makes a repeated request safe. */
export const SendBody = Type.Object({
  chatroom: Id,
  content: Content,
  clientId: Type.Optional(Id),
});
export type SendBody = Static<typeof SendBody>;

/** A new text for a message of one's own. */
export const EditBody = Type.Object({ messageId: Id, content: Content });
export type EditBody = Static<typeof EditBody>;

/** Which message of one's own is to go; `content` is passed over. */
export const DeleteBody = Type.Object({
  messageId: Id,
  content: Type.Optional(Type.String()),
});
export type DeleteBody = Static<typeof DeleteBody>;
