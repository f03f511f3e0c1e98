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
  | 'unsupported';

/** Whether the system shows this app's notifications. */
export type NotificationState = 'granted' | 'denied' | 'not-asked' | 'unsupported';

/** A message that somebody may want to know of while looking elsewhere. */
export interface ChatNotification {
  /** Room id. A newer one of the same room takes the place of the older. */
  chatroom: string;
  title: string;
  body: string;
  /** Called when the person opens it. */
  onOpen: () => void;
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
  /** Shows a notification if that is allowed, and does nothing otherwise. */
  notify: (notification: ChatNotification) => void;
  /** Takes the room's notification away, as it was read. */
  withdrawNotification: (chatroom: string) => void;
  microphoneState: () => Promise<MicrophoneState>;
}
