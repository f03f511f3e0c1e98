import { Notification } from 'electron';
import { parseWindowsActivation, type Activation } from './activation.ts';
import type { NotificationCenter } from './notification-center.ts';
import { findChatroomOfNotification, type ServerChatroom } from './notification-id.ts';

interface EarlierNotificationsDeps {
  platform: NodeJS.Platform;
  /** Origins of the known servers. */
  servers: () => readonly string[];
  notifications: NotificationCenter;
  /** The notification that started the app, if any. */
  launch: Activation | undefined;
  openChatroom: (room: ServerChatroom) => void;
  /** Sends a reply without bringing the window forward. */
  reply: (room: ServerChatroom, text: string) => void;
  showActive: () => void;
}

/**
 * Handles clicks on notifications of an earlier run of the app, for example after a crash. Such a click
 * starts the app or reaches a run that did not show the notification.
 */
export async function handleEarlierNotifications(deps: EarlierNotificationsDeps): Promise<void> {
  const { platform, servers, notifications, launch } = deps;

  function handle({ id, reply }: Activation): void {
    // A notification of this run emits its own events.
    if (id !== undefined && notifications.isShown(id)) return;
    const room = id === undefined ? undefined : findChatroomOfNotification(id, servers());
    if (room === undefined) deps.showActive();
    else if (reply === undefined) deps.openChatroom(room);
    else deps.reply(room, reply);
  }

  if (launch !== undefined) handle(launch);
  if (platform === 'win32') {
    // Registers the app with Windows, which `handleActivation` does not. Otherwise, a reply would be lost.
    Notification.isSupported();
    Notification.handleActivation((details) => handle(parseWindowsActivation(details)));
  }
  // With the first use of notifications, macOS asks for the permission. It would do so over the server picker.
  if (platform !== 'darwin' || servers().length === 0) return;
  const delivered = await Notification.getHistory().catch(() => []);
  notifications.restore(delivered, servers(), (server) => ({
    onOpen: (chatroomId) => deps.openChatroom({ server, chatroomId }),
    onReply: (chatroomId, text) => deps.reply({ server, chatroomId }, text),
  }));
}
