import type { NotificationContent } from '@parley/contract';
import type { Generated } from 'kysely';

/** How a user wants to be notified. Users without a row have the default settings. */
export interface NotificationSettingsTable {
  user_id: string;
  /** Increases with each change. */
  version: number;
  content: NotificationContent;
  /** The quiet hours: local times (HH:MM) and their time zone. All four are null without any. */
  quiet_from: string | null;
  quiet_to: string | null;
  quiet_zone: string | null;
  /** 1 if notifications are shown without sound in quiet hours. */
  quiet_only_sound: number | null;
  paused_until: number | null;
}

/** The push subscription of a session, which ends with it. */
export interface PushSubscriptionsTable {
  session_id: string;
  user_id: string;
  /** URL at the push service; unique. Messages can be sent to anyone who knows it. */
  endpoint: string;
  /** The browser's keys in base64url, to encrypt messages. */
  p256dh: string;
  auth: string;
  /** Origin of the page that subscribed, which notifications open. */
  site: string;
  created_at: number;
  /** When the browser has last sent the subscription. */
  seen_at: number;
  /** When the push service has last accepted a message; null if never. */
  succeeded_at: number | null;
  /** When the push service has first refused a message since; null if it has not. */
  failing_since: number | null;
}

/** A notification to be sent to a device. There is at most one per device, chatroom and kind. */
export interface PushQueueTable {
  id: string;
  session_id: string;
  chatroom_id: string;
  kind: 'message' | 'reaction' | 'invitation';
  /**
   * The range of what the device is to be notified of: the `seq` of messages, or the times of
   * reactions and of accepted invitations.
   */
  since: number;
  latest: number;
  created_at: number;
  /** When to decide whether to send it. Later while it is being sent. */
  due_at: number;
  /** Number of failed attempts. */
  attempts: Generated<number>;
}

/** A notification of messages on a device, which it is told to close once they are read. */
export interface PushShownTable {
  session_id: string;
  chatroom_id: string;
  /** `seq` of the newest message that the device was notified of. */
  seq: number;
}
