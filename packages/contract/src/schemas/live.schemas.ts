import { Type, type Static, type TSchema } from 'typebox';
import { UserEmails } from './accounts.schemas.ts';
import { ChangedSettings, type AccountSettingName } from './account-settings.schemas.ts';
import { ChatState } from './chatrooms.schemas.ts';
import { Id, SessionEndReason } from './common.schemas.ts';
import { DeletedMessage, LastReaction, Message } from './messages.schemas.ts';
import { NotificationSettings } from './notifications.schemas.ts';

/** Why the live connection was refused: code and message as defined by the Engine.IO protocol. */
export const HandshakeErrorResponse = Type.Object({ code: Type.Integer(), message: Type.String() });
export type HandshakeErrorResponse = Static<typeof HandshakeErrorResponse>;

/** What a user is told about the presence of a partner. */
export const PartnerPresence = Type.Object({
  isOnline: Type.Boolean(),
  lastSeenAt: Type.Optional(
    Type.String({
      description:
        'When the partner was last online, ISO 8601 in UTC: to the minute within the last hour, else to half an hour. Missing while the partner is online and if it is not known',
    }),
  ),
});
export type PartnerPresence = Static<typeof PartnerPresence>;

/**
 * Who receives a live event, on all devices: both members of the chatroom, the one for whom something has changed,
 * the partner of the user who acted, that user, or only the connections of the session that it is about. Members who block the partner receive nothing that the
 * partner does.
 */
export type EventRecipients = 'members' | 'member' | 'partner' | 'user' | 'session';

/** The properties of a live event. */
export interface ServerEventSchema {
  readonly payload: TSchema;
  readonly to: EventRecipients;
  /** The setting that both members must have switched on. They must also have accepted each other. */
  readonly shared?: AccountSettingName;
  /** For the documentation, after whom it is sent to. */
  readonly description: string;
}

const inChatroom = { chatroom: Id };

/**
 * All Socket.IO events that the server sends, by name. Clients need only `message`, `message-update` and
 * `message-delete`. The others only save requests.
 */
export const serverEvents = {
  message: {
    payload: Message,
    to: 'members',
    description: 'A new message.',
  },
  'message-update': {
    payload: Type.Object({ updatedMessage: Message }),
    to: 'members',
    description:
      'A message was edited or has other reactions. Only its own event is sent when a message changes, so update the quotes of its replies from it.',
  },
  'message-delete': {
    payload: Type.Object({ deletedMessage: DeletedMessage }),
    to: 'members',
    description: 'A message was deleted.',
  },
  reaction: {
    payload: Type.Object({
      ...inChatroom,
      rev: Type.Integer({ description: 'That of the `message-update` which shows the reactions' }),
      reaction: LastReaction,
      isOn: Type.Boolean({ description: 'Whether the reaction was added. Otherwise taken back' }),
    }),
    to: 'partner',
    description:
      'The user reacted to a message of the partner, or took the reaction back. Sent in addition to `message-update`.',
  },
  chat: {
    payload: ChatState,
    to: 'member',
    description:
      'The chat has changed other than by the events above: the member read it, accepted, declined (`none`), deleted the chat, blocked or unblocked the partner, or changed its settings; the partner received or read messages, accepted the member, or deleted the account; or one of them deleted a message.',
  },
  typing: {
    payload: Type.Object(inChatroom),
    to: 'partner',
    shared: 'sharesTyping',
    description:
      'The user is typing. Sent again every 3 seconds, so show it for 6 seconds or until the next message.',
  },
  presence: {
    payload: Type.Object({
      rooms: Type.Record(Id, Type.Union([PartnerPresence, Type.Null()]), {
        additionalProperties: false,
        description: 'By chatroom: what is told about the partner, or null if it no longer is',
      }),
      isComplete: Type.Boolean({ description: 'Whether it replaces everything told before' }),
    }),
    to: 'partner',
    shared: 'sharesPresence',
    description:
      'The user came online or went offline. Sent only to connections that have sent the signal `presence`, to which the first one responds with a complete event.',
  },
  'notification-settings': {
    payload: Type.Object({ settings: NotificationSettings }),
    to: 'user',
    description:
      'The user changed the settings of notifications. Ignore those with a lower `version` than the latest.',
  },
  settings: {
    payload: ChangedSettings,
    to: 'user',
    description: 'The user changed these settings.',
  },
  email: {
    payload: UserEmails,
    to: 'user',
    description:
      'The email address of the account was changed, or the user wants to change it or no longer does.',
  },
  'session-ended': {
    payload: Type.Object({ reason: SessionEndReason }),
    to: 'session',
    description: 'Sent immediately before the server closes the connection.',
  },
} as const satisfies Readonly<Record<string, ServerEventSchema>>;

/** How often a signal has an effect: if it differs from the last one of the connection, or after an interval. */
export type SignalRate = 'change' | 'interval';

/** Milliseconds within which signals of the rate `interval` are ignored after one of the user in the same chatroom. */
export const SIGNAL_INTERVAL = 2_000;

/** The properties of a signal. */
export interface ClientSignalSchema {
  /** The server ignores signals with other payloads. */
  readonly payload: TSchema;
  readonly rate: SignalRate;
  readonly description: string;
}

/** All Socket.IO events that clients send, by name. The server does not respond to them. */
export const clientSignals = {
  typing: {
    payload: Type.Object(inChatroom),
    rate: 'interval',
    description: 'The user is typing in a chatroom. Repeat it while this lasts.',
  },
  presence: {
    payload: Type.Object({ isActive: Type.Boolean() }),
    rate: 'change',
    description:
      'Whether the device is in use, such as a visible page with recent input. Send it after each connect and whenever it changes. The first one of a connection also requests the event `presence`.',
  },
  attend: {
    payload: Type.Object({ chatroom: Type.Union([Id, Type.Null()]) }),
    rate: 'change',
    description:
      'The chatroom that the user has in view on the device, null if none: it is open, and the window is visible and has the focus. Send it after each connect and whenever it changes. No device is notified of messages in it.',
  },
} as const satisfies Readonly<Record<string, ClientSignalSchema>>;
