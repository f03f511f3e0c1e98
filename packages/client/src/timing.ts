import { UI } from '@parley/contract';

/** Intervals of a client, in milliseconds. */
export interface ClientTiming {
  /** Backoff before an unsent message is retried. It doubles with each consecutive failure. */
  readonly sendRetryMin: number;
  readonly sendRetryMax: number;
  /** Interval between resync attempts. For a single chatroom it doubles up to the maximum. */
  readonly resyncRetryMin: number;
  readonly resyncRetryMax: number;
  /** Throttle for fetching the chat list. */
  readonly chatListThrottle: number;
  /** How long delivered messages are gathered before they are reported. */
  readonly deliveryGather: number;
  /** Interval of telling that the user is typing, and how long the partner's typing is shown. */
  readonly typingInterval: number;
  readonly typingShown: number;
  /** How long the live event of a change may take after the response to the change. */
  readonly eventWait: number;
  /** Throttle for writing the offline copy. */
  readonly copyWriteThrottle: number;
  /** How long the conditions of a search must stay the same before it starts. */
  readonly searchDebounce: number;
  /** Interval of fetching changes while there is no live connection: while the user uses the app, and at most. */
  readonly pollMin: number;
  readonly pollMax: number;
  /** How long after a connection chats are prefetched for the offline copy. */
  readonly prefetchDelay: number;
  /** Backoff before the live connection is retried. */
  readonly reconnectMin: number;
  readonly reconnectMax: number;
}

/** Intervals in production. Tests use shorter ones. */
export const DEFAULT_TIMING: ClientTiming = {
  sendRetryMin: 1_000,
  sendRetryMax: 30_000,
  resyncRetryMin: 2_000,
  resyncRetryMax: 30_000,
  chatListThrottle: 250,
  deliveryGather: 250,
  typingInterval: UI.typingInterval,
  typingShown: UI.typingShown,
  eventWait: 2_000,
  copyWriteThrottle: 250,
  searchDebounce: 200,
  pollMin: 5_000,
  pollMax: 60_000,
  prefetchDelay: 5_000,
  reconnectMin: 1_000,
  reconnectMax: 5_000,
};
