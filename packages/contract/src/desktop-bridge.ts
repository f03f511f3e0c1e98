import type { Language } from './schemas/index.ts';

/** What became of a notification. */
export type NotificationOutcome =
  | 'shown'
  /** The person switched them off, or looks at the window already. */
  | 'off'
  /** The operating system did not take it. */
  | 'refused'
  | 'unsupported';

/** A message to be told of while the person looks elsewhere. */
export interface DesktopNotification {
  /** Room id. A newer one of the same room takes the place of the older. */
  chatroom: string;
  /** Who wrote. */
  title: string;
  /** What they wrote, shortened. */
  body: string;
  /** The system's own sound is not wanted. */
  silent: boolean;
}

/** What the operating system and the person's own settings say about recording. */
export type DesktopMicrophone = 'available' | 'denied' | 'denied-by-system';

/** Choices that only the desktop app has. */
export interface DesktopPreferences {
  notifications: boolean;
  /** Whether notifications say who wrote and what. */
  notificationContent: boolean;
  /** Whether this app may record voice messages. */
  microphone: boolean;
  /** Closing the window leaves the app running in the tray. */
  closeToTray: boolean;
  /** The app starts without a window. */
  startHidden: boolean;
  /** The system starts the app when the user logs in. */
  startAtLogin: boolean;
  /** Ask now and then whether there is a newer version. */
  updates: boolean;
}

/** Which of the choices make sense on this system. */
export interface DesktopFeatures {
  /** There is a tray to close to. */
  tray: boolean;
  /** The app may start at login. */
  startAtLogin: boolean;
  /** A shown notification makes the system's sound, unless it is silent. */
  notificationSound: boolean;
  /** Somebody announces new versions. */
  updates: boolean;
  /** The taskbar shows a small picture with the unread count. */
  unreadPicture: boolean;
  /** The system has a page for the microphone's consent. */
  microphoneSettings: boolean;
}

/** What the page learns when it is loaded. */
export interface DesktopStart {
  features: DesktopFeatures;
  preferences: DesktopPreferences;
}

/** How much is unread, and for Windows the small picture that says so. */
export interface DesktopUnread {
  count: number;
  /** PNG as a data URL; absent where the count is 0. */
  picture?: string;
}

/** What a person did outside the page. */
export type DesktopEvent =
  /** A notification, a link or the tray asks for a room. */
  | { type: 'open-chat'; chatroom: string }
  /** An answer was written in the notification itself. */
  | { type: 'reply'; chatroom: string; text: string }
  /** The computer woke up: connections that look alive may be dead. */
  | { type: 'resume' }
  /** The server's certificate is not trusted, or is again. */
  | { type: 'certificate'; isRefused: boolean };

/**
 * What the preload puts on the page as `window.parley`: narrow functions over structured-cloneable
 * values, each checked again in the main process. The page's own origin is the server's.
 */
export interface DesktopBridge {
  readonly start: DesktopStart;
  notify: (notification: DesktopNotification) => Promise<NotificationOutcome>;
  /** Whether the system keeps quiet for the user; false where that cannot be found out. */
  isDoNotDisturb: () => Promise<boolean>;
  /** Takes the room's notification away. */
  withdraw: (chatroom: string) => void;
  /** Shows a notification at once, whatever the settings say, so that a person can see whether they come. */
  testNotification: () => Promise<NotificationOutcome>;
  setUnread: (unread: DesktopUnread) => void;
  /** Asks for the system's consent where it was never asked. */
  microphone: () => Promise<DesktopMicrophone>;
  /** Opens the system's settings for the microphone, where it has such a page. */
  openMicrophoneSettings: () => void;
  /** Opens the app's own window in which servers are added and removed. */
  manageServers: () => void;
  /** Looks for a newer version of the app, and tells the user what it found. */
  checkForUpdates: () => void;
  /** Opens the window in which the user sees the server's certificate and may trust it. */
  reviewCertificate: () => void;
  /** Resolves to all of them as they are kept now. */
  setPreferences: (changed: Partial<DesktopPreferences>) => Promise<DesktopPreferences>;
  /** Menus and notifications speak the language that the page speaks. */
  setLanguage: (language: Language) => void;
  /** Hears what happened since the page was loaded, also what happened before somebody listened. */
  onEvent: (listener: (event: DesktopEvent) => void) => () => void;
}

/** In the place of the bridge if the main process refused it: the page must not start without. */
export interface RefusedDesktopBridge {
  readonly start: null;
}
