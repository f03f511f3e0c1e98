import type { DesktopFeatures, DesktopPreferences } from '@parley/contract';
import type { Language } from '@parley/texts';
import { shell } from 'electron';
import { CHANNELS } from '../ipc/channels.ts';
import { listenTo } from './ipc/listen.ts';
import { findMicrophoneSettings } from './microphone/microphone.ts';
import type { NotificationCenter } from './notifications/notification-center.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import type { ServerSession } from './origin/server-session.electron.ts';
import { isDoNotDisturb } from './system/do-not-disturb.ts';
import type { ServerWindow } from './window/server-window.electron.ts';
import type { StartAtLogin } from './autostart/start-at-login.electron.ts';
import { getSystemMicrophone } from './microphone/system-microphone.electron.ts';

interface ServePageDeps {
  settings: SettingsFile;
  startAtLogin: StartAtLogin;
  notifications: NotificationCenter;
  features: () => DesktopFeatures;
  onUnread: (origin: string, count: number, picture: string | undefined) => void;
  onPreferences: (preferences: DesktopPreferences) => void;
  onLanguage: (language: Language) => void;
  onManageServers: () => void;
  onCheckForUpdates: () => void;
  /** Called when the user wants to review the certificate of this server. */
  onReviewCertificate: (origin: string) => void;
  /** Called when the user opened this server's window from a notification. */
  onShown: (origin: string) => void;
}

/** Handles the messages that a server's page sends over the bridge. */
export function servePage(page: ServerWindow & ServerSession, deps: ServePageDeps): void {
  const { settings, notifications } = deps;
  const { origin, events } = page;
  const listener = listenTo(page.window.webContents.ipc, origin);
  const source = {
    server: origin,
    isInForeground: page.isInForeground,
    onOpen: (chatroom: string) => {
      page.show();
      deps.onShown(origin);
      events.send({ type: 'open-chat', chatroom });
    },
    // The page's outbox sends the reply: in order, exactly once, and later if the server is unreachable.
    onReply: (chatroom: string, text: string) => events.send({ type: 'reply', chatroom, text }),
  };

  const allPreferences = (): DesktopPreferences => ({
    ...settings.get().preferences,
    startAtLogin: deps.startAtLogin.get(),
  });

  listener.handleSync(CHANNELS.start, () => {
    page.markBridgeLoaded();
    return { features: deps.features(), preferences: allPreferences() };
  });
  listener.on(CHANNELS.ready, 'nothing', () => {
    events.startDelivery();
    if (page.certificate.isRefused()) events.send({ type: 'certificate', isRefused: true });
  });
  listener.handle(CHANNELS.notify, 'notify', (notification) =>
    notifications.show(notification, source),
  );
  listener.handle(CHANNELS.isDoNotDisturb, 'nothing', () =>
    isDoNotDisturb(process.platform, process.env['XDG_CURRENT_DESKTOP']),
  );
  listener.on(CHANNELS.withdrawNotification, 'withdraw', (room) =>
    notifications.withdraw(origin, room),
  );
  listener.handle(CHANNELS.testNotification, 'nothing', () => notifications.test());
  listener.on(CHANNELS.setUnread, 'setUnread', ({ count, picture }) => {
    // The user has read everything or has signed out.
    if (count === 0) notifications.withdrawAll(origin);
    deps.onUnread(origin, count, picture);
  });
  listener.handle(CHANNELS.getMicrophoneState, 'nothing', () => getSystemMicrophone(settings));
  listener.on(CHANNELS.openMicrophoneSettings, 'nothing', () => {
    const address = findMicrophoneSettings(process.platform);
    if (address !== undefined) void shell.openExternal(address);
  });
  listener.on(CHANNELS.manageServers, 'nothing', deps.onManageServers);
  listener.on(CHANNELS.checkForUpdates, 'nothing', deps.onCheckForUpdates);
  listener.on(CHANNELS.reviewCertificate, 'nothing', () => deps.onReviewCertificate(origin));
  listener.handle(CHANNELS.setPreferences, 'setPreferences', ({ startAtLogin, ...changed }) => {
    if (startAtLogin !== undefined) deps.startAtLogin.set(startAtLogin);
    settings.change((all) => ({ ...all, preferences: { ...all.preferences, ...changed } }));
    const preferences = allPreferences();
    deps.onPreferences(preferences);
    return preferences;
  });
  listener.on(CHANNELS.setLanguage, 'setLanguage', deps.onLanguage);
  listener.on(CHANNELS.endUpload, 'endUpload', page.uploads.cancel);
  listener.handle(CHANNELS.storageKey, 'nothing', page.storageKey.get);
}
