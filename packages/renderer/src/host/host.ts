import type {
  DesktopFeatures,
  DesktopPreferences,
  NotificationOutcome,
  PushSubscriptionBody,
} from '@parley/contract';
import type { Language } from '@parley/texts';
import type { SharedContentStore } from './shared-content.ts';

/** Whether recording is possible, and if not, why. */
export type MicrophoneState =
  /** Allowed, or the browser will ask. */
  | 'available'
  /** The user denied access to this site or app. */
  | 'denied'
  /** The operating system denies access to all apps of this kind. */
  | 'denied-by-system'
  /** Browsers allow recording on HTTPS and localhost only. */
  | 'insecure'
  /** Like `insecure`, but recording is possible after restarting the app. */
  | 'needs-restart'
  /** The user turned recording off in the app's settings. */
  | 'switched-off'
  | 'no-device'
  | 'unsupported';

/** Whether the system shows this app's notifications. */
export type NotificationState = 'granted' | 'denied' | 'not-asked' | 'unsupported';

/** A notification of a new message. */
export interface ChatNotification {
  /** Chatroom id. A newer notification replaces an older one of the same chatroom. */
  chatroom: string;
  /** Username of the current user, to whose account a reply belongs. Missing for tests. */
  user?: string;
  title: string;
  body: string;
  /**
   * The source of the sound: none (`off`), the notification or otherwise the page (`either`), or only the
   * notification, because the page may not play sounds yet (`required`).
   */
  sound: 'off' | 'either' | 'required';
  /** Whether the user may reply in the notification. Defaults to true. */
  canReply?: boolean;
  /** Path of the page that the notification leads to. */
  path: string;
  /** `seq` of the message, if it is known. */
  seq?: number | undefined;
  /** Whether it is about a reaction, which does not replace the notification of a message. */
  isReaction?: boolean;
  /** Labels of its buttons, where notifications have buttons. Desktop notifications have their own. */
  buttons?: { reply: string; read: string };
  /**
   * Called when the user opens it, unless the host calls the listener of `onOpenChat` or
   * `onOpenPath`.
   */
  onOpen: () => void;
  /** Called when the system failed to show it although notifications are enabled. */
  onNotShown?: () => void;
}

/** Whether push messages can reach this browser, and if not, why. */
export type PushSupport =
  | 'supported'
  /** Browsers allow them on HTTPS and localhost only. */
  | 'insecure'
  /** iPhones and iPads deliver them to apps on the home screen only. */
  | 'needs-installation'
  | 'unsupported';

/** Push messages, which notify the user even while no page is open. */
export interface PushPort {
  readonly support: PushSupport;
  /**
   * Subscribes this browser, or returns its subscription. Needs the permission for notifications. Rejects if
   * the browser cannot reach its push service.
   * @param publicKey the server's key in base64url
   */
  subscribe: (publicKey: string) => Promise<PushSubscriptionBody>;
  /** Ends the subscription, if there is one. Never rejects. */
  unsubscribe: () => Promise<void>;
}

/** Settings of the installed app on this device. */
export interface DeviceSettings {
  /** The settings that are available on this system. */
  readonly features: DesktopFeatures;
  get: () => DesktopPreferences;
  /** Resolves to all stored settings after the change. */
  change: (changed: Partial<DesktopPreferences>) => Promise<DesktopPreferences>;
  /** Shows a test notification. */
  testNotification: () => Promise<NotificationOutcome>;
  openMicrophoneSettings: () => void;
  /** Opens the app's window for adding and removing servers. */
  manageServers: () => void;
}

/** Updates of the application, for hosts where the page loads them itself. */
export interface PageUpdates {
  /** Checks the server for a new version. Never rejects. */
  check: () => Promise<void>;
  /** Calls the listener when a new version is ready, even if it was found before. */
  onReady: (listener: () => void) => () => void;
  /** Reloads the page with the newest version. Never rejects. */
  reload: () => Promise<void>;
}

/**
 * The port to the environment. The browser and the desktop app each implement it. Components never check in
 * which of them they run.
 */
export interface Host {
  /** Origin of the server for the API and the live connection, without a trailing slash. */
  readonly serverOrigin: string;
  /** Shows the number of unread messages on the app's icon. 0 removes the badge. */
  setBadge: (count: number) => void;
  notificationState: () => NotificationState;
  /** Asks the user for permission if the system allows asking. */
  requestNotifications: () => Promise<NotificationState>;
  /** Whether sounds may play before the first gesture, as an installed app may start without a window. */
  readonly playsWithoutGesture?: boolean;
  /** Shows a notification if allowed. Resolves to whether it made its own sound. Never rejects. */
  notify: (notification: ChatNotification) => Promise<boolean>;
  /** Resolves to whether the system is in do-not-disturb mode. Missing if it cannot be detected. Never rejects. */
  isDoNotDisturb?: () => Promise<boolean>;
  /** Removes the notification of a chatroom, as it was read. */
  withdrawNotification: (chatroom: string) => void;
  /**
   * Removes the notifications of messages that were read, such as on another device while no page was open.
   * Missing if none outlast the page.
   */
  withdrawReadNotifications?: (isRead: (chatroom: string, seq: number) => boolean) => void;
  /**
   * Removes all notifications, as the session has ended. `keepsReplies` leaves those with replies that could not
   * be sent, as the session has only expired. Missing if those of each chatroom are removed.
   */
  withdrawAllNotifications?: (options?: { keepsReplies?: boolean }) => void;
  /** Missing if the installed app shows notifications itself. */
  readonly push?: PushPort;
  microphoneState: () => Promise<MicrophoneState>;
  /**
   * Resolves to the encryption key of the data on this device, or to null if the system cannot store one. Does
   * not resolve while the system's keyring is locked. Missing if data is not encrypted.
   */
  getStorageKey?: () => Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Follows the upload with this id, whose request does not report its own progress. Returns a function that stops
   * following, and cancels the upload if it is not complete. Missing if requests report their progress.
   */
  followUpload?: (id: string, onProgress: (share: number) => void) => () => void;
  /** Present if the application is installed. */
  readonly device?: DeviceSettings;
  /** Present in browsers that support service workers. */
  readonly updates?: PageUpdates;
  /** Present in browsers in which other apps may share content with the installed app. */
  readonly sharedContent?: SharedContentStore;
  /** Checks for a newer version of the installed app and shows the result. Missing if the app cannot update. */
  readonly checkForUpdates?: () => void;
  /**
   * Calls the listener when a chatroom is opened from outside the page, by a link or a notification, at a message if the
   * link leads to one.
   */
  onOpenChat?: (listener: (chatroom: string, seq: number | undefined) => void) => () => void;
  /** Calls the listener with the path that a tap on a notification opens. */
  onOpenPath?: (listener: (path: string) => void) => () => void;
  /**
   * Calls the listener with replies of a user from notifications that could not be sent. It stores them. Those of
   * other users are removed.
   */
  onDraft?: (
    username: string,
    listener: (chatroom: string, text: string) => Promise<void>,
  ) => () => void;
  /** Calls the listener when the user replies in a notification. */
  onReply?: (listener: (chatroom: string, text: string) => void) => () => void;
  /**
   * Calls the listener when the device wakes up or the page becomes visible again. If it `wasAway` for long, its
   * connections may have died unnoticed.
   */
  onResume?: (listener: (wasAway: boolean) => void) => () => void;
  /** Calls the listener when the server's certificate is rejected, or accepted again. */
  onCertificate?: (listener: (isRefused: boolean) => void) => () => void;
  /** Shows the server's certificate, so that the user can decide whether to trust it. */
  reviewCertificate?: () => void;
  /** Sets the language of the host's own interface. Missing if it has none. */
  setLanguage?: (language: Language) => void;
}
