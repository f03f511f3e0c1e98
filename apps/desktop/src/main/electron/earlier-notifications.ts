import { Notification } from 'electron';
import { windowsActivation, type Activation } from '../notifications/activation.ts';
import type { NotificationCenter } from '../notifications/notification-center.ts';
import { roomOfNotification, type RoomOnServer } from '../notifications/notification-id.ts';

interface EarlierNotificationsDeps {
  platform: NodeJS.Platform;
  /** Origins of the known servers. */
  servers: () => readonly string[];
  notifications: NotificationCenter;
  /** What the app was started with. */
  launch: Activation | undefined;
  openRoom: (room: RoomOnServer) => Promise<void>;
  /** Sends a reply without bringing the window forward. */
  reply: (room: RoomOnServer, text: string) => Promise<void>;
  showFront: () => void;
}

/**
 * Makes notifications work that an earlier run of the app has left behind, when it crashed for example:
 * a click starts the app, or reaches one that never showed that notification.
 */
export async function followEarlierNotifications(deps: EarlierNotificationsDeps): Promise<void> {
  const { platform, servers, notifications, launch } = deps;

  function follow({ id, reply }: Activation): void {
    // It was shown by this run: its own events follow.
    if (id !== undefined && notifications.isShown(id)) return;
    const room = id === undefined ? undefined : roomOfNotification(id, servers());
    if (room === undefined) deps.showFront();
    else if (reply === undefined) void deps.openRoom(room);
    else void deps.reply(room, reply);
  }

  if (launch !== undefined) follow(launch);
  if (platform === 'win32') {
    Notification.handleActivation((details) => follow(windowsActivation(details)));
  }
  if (platform !== 'darwin') return;
  const left = await Notification.getHistory().catch(() => []);
  notifications.restore(left, servers(), (server) => ({
    onOpen: (chatroom) => void deps.openRoom({ server, chatroom }),
    onReply: (chatroom, text) => void deps.reply({ server, chatroom }, text),
  }));
}
