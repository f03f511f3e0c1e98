import type {
  DesktopFeatures,
  DesktopPreferences,
  Language,
  NotificationOutcome,
} from '@parley/contract';

/** Whether a recording can be made, and if not, why. */
export type MicrophoneState =
  /** Allowed, or the system will ask. */
  | 'available'
  /** The person said no to this site or app. */
  | 'denied'
  /** The operating system keeps it from every app of this kind. */
  | 'denied-by-system'
  /** Browsers record on https and localhost only. */
  | 'insecure'
  /** As `insecure`, but the app may record here once it was started again. */
  | 'needs-restart'
  /** The person switched recording off in this app's own settings. */
  | 'switched-off'
  | 'no-device'
  | 'unsupported';

/** Whether the system shows this app's notifications. */
export type NotificationState = 'granted' | 'denied' | 'not-asked' | 'unsupported';

/** A message that somebody may want to know of while looking elsewhere. */
export interface ChatNotification {
  /** Room id. A newer one of the same room takes the place of the older. */
  chatroom: string;
  title: string;
  body: string;
  /**
   * Whether it sounds: never (`off`), it or else the page (`either`), or only it, as the page may not play
   * yet (`required`).
   */
  sound: 'off' | 'either' | 'required';
  /** Called when the person opens it, unless the host tells `onOpenChat`. */
  onOpen: () => void;
  /** The system did not show it, though it is wanted. */
  onNotShown?: () => void;
}

/** Choices about how an installed app behaves on this device. */
export interface DeviceSettings {
  /** Which of them make sense here. */
  readonly features: DesktopFeatures;
  get: () => DesktopPreferences;
  /** Resolves to all of them as they are kept now. */
  change: (changed: Partial<DesktopPreferences>) => Promise<DesktopPreferences>;
  /** Shows a notification, so that the person sees whether they come. */
  testNotification: () => Promise<NotificationOutcome>;
  openMicrophoneSettings: () => void;
  /** Opens the app's own window in which servers are added and removed. */
  manageServers: () => void;
}

/** New versions of the application, where the page loads them itself. */
export interface PageUpdates {
  /** Asks the server for a new version. Never rejects. */
  check: () => Promise<void>;
  /** Calls back when a new version can be started, also for one that was found before. */
  onReady: (listener: () => void) => () => void;
  /** Reloads the page as the newest version. Never rejects. */
  reload: () => Promise<void>;
}

/**
 * What the application needs from where it runs. The browser and the desktop app each implement it;
 * no component asks which of them it is in.
 */
export interface Host {
  /** Origin of the server for the API and the live connection, without a trailing slash. */
  readonly serverOrigin: string;
  /** Shows how much is unread on the app's icon; 0 takes it away. */
  setBadge: (count: number) => void;
  notificationState: () => NotificationState;
  /** Asks the person, where that is still possible. */
  requestNotifications: () => Promise<NotificationState>;
  /** Sounds may play before the first gesture: an installed app may start without a window. */
  readonly playsWithoutGesture?: boolean;
  /** Shows a notification if that is allowed. Resolves to whether it made its own sound; never rejects. */
  notify: (notification: ChatNotification) => Promise<boolean>;
  /** Whether the system keeps quiet for the user, where that can be found out. Never rejects. */
  isDoNotDisturb?: () => Promise<boolean>;
  /** Takes the room's notification away, as it was read. */
  withdrawNotification: (chatroom: string) => void;
  microphoneState: () => Promise<MicrophoneState>;
  /**
   * Resolves to the key of what is stored on this device, or to null where the system cannot keep one, which
   * takes as long as its keyring stays locked. Missing where nothing is encrypted.
   */
  storageKey?: () => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Only where the application is installed. */
  readonly device?: DeviceSettings;
  /** Only in a browser that can keep the application for starts without a connection. */
  readonly updates?: PageUpdates;
  /** Looks for a newer version of the installed app, and tells the user; only where the app can do so. */
  readonly checkForUpdates?: () => void;
  /** Hears which room is asked for from outside the page: a link, or a notification of whatever age. */
  onOpenChat?: (listener: (chatroom: string) => void) => () => void;
  /** Hears answers that were written in a notification. */
  onReply?: (listener: (chatroom: string, text: string) => void) => () => void;
  /** Calls back when the device woke up: connections that look alive may be dead. */
  onResume?: (listener: () => void) => () => void;
  /** Calls back when the server's certificate is no longer trusted, or is again. */
  onCertificate?: (listener: (isRefused: boolean) => void) => () => void;
  /** Shows the server's certificate, for the user to decide about. */
  reviewCertificate?: () => void;
  /** Tells which language is spoken, where something outside the page speaks too. */
  setLanguage?: (language: Language) => void;
}
