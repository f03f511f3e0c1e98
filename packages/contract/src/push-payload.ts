/**
 * The content of a push message. It is a declarative push message, which Safari shows by itself if
 * the service worker does not; other browsers leave everything to the service worker.
 */
export interface PushPayload {
  readonly web_push: 8030;
  readonly notification: {
    readonly title: string;
    readonly body: string;
    /** The language of the user, in which the texts are. */
    readonly lang: string;
    readonly dir: 'auto';
    /** See `PUSH_TAGS`. A notification replaces an earlier one with the same tag. */
    readonly tag: string;
    /** Absolute URL of the page that a tap opens. */
    readonly navigate: string;
    /** Present and true if the notification makes no sound. */
    readonly silent?: true;
    /** Total of unread messages, as Safari 18.4 expects it. */
    readonly app_badge: string;
    readonly data: PushData;
    /** Missing where there is nothing to reply to or to mark as read. */
    readonly actions?: readonly PushAction[];
  };
  /** Total of unread messages. */
  readonly app_badge: number;
  /** The service worker, if there is one, shows the notification. */
  readonly mutable: true;
}

/** A button of a notification. */
export interface PushAction {
  readonly action: 'reply' | 'read';
  readonly title: string;
  /** Absolute URL that the button opens where no service worker handles it. */
  readonly navigate: string;
}

/** What the service worker needs besides what it shows. */
export interface PushData {
  readonly type: 'message' | 'request' | 'reaction' | 'invitation' | 'test';
  /** Username of the recipient, to whose account a reply belongs. Missing for tests. */
  readonly user?: string;
  /** Missing for tests. */
  readonly chatroom?: string;
  /** `seq` of the message. Missing for tests and accepted invitations. */
  readonly seq?: number;
  /** As `app_badge`. */
  readonly unread: number;
  /**
   * Chatrooms that the user has read since this device was told of them, up to
   * `LIMITS.pushReadMax`. Their notifications are to be closed.
   */
  readonly read: readonly string[];
}

/** The tags of notifications: one for messages and one for reactions per chatroom. */
export const PUSH_TAGS = {
  message: (chatroom: string) => chatroom,
  reaction: (chatroom: string) => `${chatroom}/reaction`,
  /** A reply that could not be sent. New messages do not replace it, and reading the chat does not close it. */
  unsentReply: (chatroom: string) => `${chatroom}/reply`,
  test: 'test',
} as const;
