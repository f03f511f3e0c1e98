/** Times of presence, in milliseconds. */
export interface PresenceTimes {
  /** How long a user stays online after the last device is no longer in use, such as for a reload. */
  readonly grace: number;
  /** How long changes are gathered before they are announced and told. */
  readonly gather: number;
  /** Interval of storing when the users who are online were last seen. */
  readonly store: number;
}

/** The default times. */
export const PRESENCE_TIMES: PresenceTimes = { grace: 12_000, gather: 50, store: 60_000 };
