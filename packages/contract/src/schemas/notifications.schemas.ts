import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp, oneOf } from './common.schemas.ts';

/**
 * What push notifications say: only that something is new, also who wrote, or also what. A push
 * service cannot read any of it, but others who see the screen can.
 */
export const NotificationContent = oneOf('none', 'who', 'whoAndWhat');
export type NotificationContent = Static<typeof NotificationContent>;

const TIME_OF_DAY = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$';

/** The hours of each day in which the user does not want to be disturbed. */
export const QuietHours = Type.Object(
  {
    from: Type.String({ pattern: TIME_OF_DAY, description: 'HH:MM' }),
    to: Type.String({
      pattern: TIME_OF_DAY,
      description: 'HH:MM. Before or equal to `from`, it is of the next day',
    }),
    timeZone: Type.String({
      pattern: `^[A-Za-z][A-Za-z0-9_+/-]{0,${LIMITS.timeZoneMax - 1}}$`,
      description: 'IANA time zone, such as Europe/Berlin',
    }),
    isOnlySound: Type.Boolean({
      description:
        'Whether notifications are shown without sound in these hours, instead of not at all',
    }),
  },
  { additionalProperties: false },
);
export type QuietHours = Static<typeof QuietHours>;

/** The settings of the current user's notifications, the same on all devices. */
export const NotificationSettings = Type.Object({
  version: Type.Integer({ description: 'Increases with each change by the user' }),
  content: NotificationContent,
  quietHours: Type.Union([QuietHours, Type.Null()]),
  pausedUntil: Type.Union([Timestamp, Type.Null()], {
    description: 'There are no notifications and sounds until then. May be over',
  }),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

/** The settings of notifications to change. */
export const NotificationSettingsBody = Type.Object({
  content: Type.Optional(NotificationContent),
  quietHours: Type.Optional(Type.Union([QuietHours, Type.Null()])),
  pausedUntil: Type.Optional(
    Type.Union([Type.String({ maxLength: 40, description: 'ISO 8601' }), Type.Null()]),
  ),
});
export type NotificationSettingsBody = Static<typeof NotificationSettingsBody>;

/** A session that receives push messages. */
export const PushDevice = Type.Object({
  sessionId: Type.String({ description: 'As in the list of sessions' }),
  device: Type.String({ description: 'As in the list of sessions' }),
  isCurrent: Type.Boolean(),
  service: Type.String({ description: 'Host name of the push service' }),
  subscribedAt: Timestamp,
});
export type PushDevice = Static<typeof PushDevice>;

/** The current user's notifications and what a browser needs to subscribe. */
export const Notifications = Type.Object({
  settings: NotificationSettings,
  publicKey: Type.String({
    description: '`applicationServerKey` of `PushManager.subscribe`, in base64url without padding',
  }),
  devices: Type.Array(PushDevice, { description: 'Newest subscription first' }),
});
export type Notifications = Static<typeof Notifications>;

const Base64Url = (length: number, description: string) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${length}}$`, description });

/** The subscription of this session, as `PushSubscription.toJSON()` returns it. */
export const PushSubscriptionBody = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: LIMITS.pushEndpointMax }),
  keys: Type.Object({
    p256dh: Base64Url(87, 'Public key of 65 bytes in base64url without padding'),
    auth: Base64Url(22, 'Secret of 16 bytes in base64url without padding'),
  }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

/** The device that receives the test, this one by default. */
export const PushTestBody = Type.Union([
  Type.Object({ sessionId: Type.Optional(Id) }),
  Type.Null(),
]);
export type PushTestBody = Static<typeof PushTestBody>;

/**
 * The outcome of a test: the push service accepted it, it says that the subscription has ended (which
 * is then removed), it refused the message or asked to wait, or it did not respond.
 */
export const PushTestResponse = Type.Object({
  result: oneOf('accepted', 'ended', 'refused', 'unreachable'),
});
export type PushTestResponse = Static<typeof PushTestResponse>;
