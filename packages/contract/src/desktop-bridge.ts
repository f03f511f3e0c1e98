import type { Language } from '@parley/texts';

/** The request header with the id by which the desktop app reports an upload's progress and cancels it. */
export const UPLOAD_ID_HEADER = 'x-parley-upload';

/** The outcome of showing a notification. */
export type NotificationOutcome =
  | 'shown'
  /** Notifications are switched off, or the window has the focus. */
  | 'off'
  /** The operating system refused to show it. */
  | 'refused'
  | 'unsupported';

/** A notification of a message. */
export interface DesktopNotification {
  /** Id of the chatroom. A newer notification of the same chatroom replaces the older one. */
  chatroom: string;
  /** The sender's name. */
  title: string;
  /** The message, shortened. */
  body: string;
  /** Whether to leave out the system's sound. */
  silent: boolean;
  /** Whether the user may reply in the notification. Defaults to true. */
  canReply?: boolean;
}

/** Whether the app may record, according to the user's and the operating system's settings. */
export type DesktopMicrophone = 'available' | 'denied' | 'denied-by-system';

/** Settings that only the desktop app has. */
export interface DesktopPreferences {
  notifications: boolean;
  /** Whether notifications show the sender and the message. */
  notificationContent: boolean;
  /** Whether this app may record voice messages. */
  microphone: boolean;
  /** Whether closing the window keeps the app running in the tray. */
  closeToTray: boolean;
  /** Whether the app shows no window when the system starts it at login. */
  startHidden: boolean;
  /** Whether the system starts the app at login. */
  startAtLogin: boolean;
  /** Whether to check for updates once a day. */
  updates: boolean;
}

/** The features that this system supports. */
export interface DesktopFeatures {
  /** Whether there is a tray. */
  tray: boolean;
  /** Whether the app can start at login. */
  startAtLogin: boolean;
  /** Whether notifications play the system's sound unless they are silent. */
  notificationSound: boolean;
  /** Whether an update feed is configured. */
  updates: boolean;
  /** Whether the taskbar shows a picture with the unread count. */
  unreadPicture: boolean;
  /** Whether the system has a settings page for the microphone. */
  microphoneSettings: boolean;
}

/** The values with which a page starts. */
export interface DesktopStart {
  features: DesktopFeatures;
  preferences: DesktopPreferences;
}

/** The unread count, and its picture for the taskbar of Windows. */
export interface DesktopUnread {
  count: number;
  /** PNG as a data URL; absent if the count is 0. */
  picture?: string;
}

/** An event outside the page. */
export type DesktopEvent =
  /** The user opened a chatroom from a notification or a link, which may lead to the message with this `seq`. */
  | { type: 'open-chat'; chatroom: string; seq?: number }
  /** The user wrote a reply in a notification. */
  | { type: 'reply'; chatroom: string; text: string }
  /** The computer woke up, so connections may be dead. */
  | { type: 'resume' }
  /** The server's certificate is refused, or is accepted again. */
  | { type: 'certificate'; isRefused: boolean };

/**
 * The page's `window.parley`, set by the preload script. All arguments must be
 * structured-cloneable, and the main process validates them. The page has the server's origin.
 */
export interface DesktopBridge {
  readonly start: DesktopStart;
  notify: (notification: DesktopNotification) => Promise<NotificationOutcome>;
  /** Resolves to whether the system's "do not disturb" is on; false if that cannot be read. */
  isDoNotDisturb: () => Promise<boolean>;
  /** Removes the notification of a chatroom. */
  withdraw: (chatroom: string) => void;
  /** Shows a test notification, even if notifications are switched off. */
  testNotification: () => Promise<NotificationOutcome>;
  setUnread: (unread: DesktopUnread) => void;
  /** Resolves to whether the app may record. Requests the system's permission the first time. */
  microphone: () => Promise<DesktopMicrophone>;
  /** Opens the system's settings page for the microphone, if there is one. */
  openMicrophoneSettings: () => void;
  /** Opens the app's window for adding and removing servers. */
  manageServers: () => void;
  /** Checks for a newer version of the app and shows the result to the user. */
  checkForUpdates: () => void;
  /** Opens the window in which the user sees the server's certificate and may trust it. */
  reviewCertificate: () => void;
  /** Changes preferences and resolves to all of them. */
  setPreferences: (changed: Partial<DesktopPreferences>) => Promise<DesktopPreferences>;
  /** Sets the language of menus and notifications. */
  setLanguage: (language: Language) => void;
  /**
   * Resolves to the 32 bytes with which the page encrypts stored data, or to null on a system
   * without a keyring, where the page must store nothing. Stays pending while the keyring is
   * locked. If the bytes differ from those of the last start, the old ones are lost.
   */
  storageKey: () => Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Follows the upload with this id, as the main process sends the page's requests: the page's own
   * requests report no progress, and canceling them does not stop the transfer. Returns a function
   * that stops following, and cancels the upload if it is not complete.
   */
  followUpload: (id: string, onProgress: (share: number) => void) => () => void;
  /** Subscribes to all events since the page was loaded. Returns an unsubscribe function. */
  onEvent: (listener: (event: DesktopEvent) => void) => () => void;
}

/** The replacement of a bridge that the main process has refused. The page must then not start. */
export interface RefusedDesktopBridge {
  readonly start: null;
}
