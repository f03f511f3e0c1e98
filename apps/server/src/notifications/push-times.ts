// Times in milliseconds.

/** A user who has used no device for this long is notified immediately. */
export const ACTIVE_WITHIN = 45_000;
/** Other users have this long to read a message before they are notified. */
export const READ_DELAY = 10_000;
/**
 * How long a chatroom that a device has in view may stay unread before nothing is sent. Longer than it
 * takes to notice that the device has lost its connection.
 */
export const IN_VIEW_MAX = 60_000;
/** Minimum time between two notifications of a chatroom on a device. */
export const ROOM_INTERVAL = 5_000;
/** Notifications are not sent any more after this time. */
export const EXPIRES_AFTER = 24 * 60 * 60 * 1000;
/** How long devices have after a start of the server to report what they have in view. */
export const SETTLE_TIME = 12_000;
/** Number of attempts to send a notification. */
export const ATTEMPTS_MAX = 6;
/** Number of notifications that a device receives within a minute. */
export const PER_MINUTE_MAX = 30;
/** How long no other server sends a claimed notification. Longer than a delivery takes. */
export const CLAIM_DURATION = 45_000;
/** Delays of further attempts. */
export const PUSH_RETRIES = { first: 30_000, factor: 4, max: 60 * 60_000 };
