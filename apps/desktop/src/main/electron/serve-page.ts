import type { DesktopFeatures, DesktopPreferences, Language } from '@parley/contract';
import { shell, systemPreferences } from 'electron';
import { CHANNELS } from '../../ipc/channels.ts';
import { listenTo } from '../ipc/listen.ts';
import { microphoneSettings, microphoneState } from '../microphone/microphone.ts';
import type { NotificationCenter } from '../notifications/notification-center.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { ServerWindow } from './server-window.ts';

interface ServePageDeps {
  settings: SettingsFile;
  notifications: NotificationCenter;
  features: () => DesktopFeatures;
  onUnread: (origin: string, count: number, picture: string | undefined) => void;
  onPreferences: (preferences: DesktopPreferences) => void;
  onLanguage: (language: Language) => void;
  /** The person chose this server's window. */
  onShown: (origin: string) => void;
}

/** Does what a server's page asks for over the bridge. */
export function servePage(page: ServerWindow, deps: ServePageDeps): void {
  const { settings, notifications } = deps;
  const { origin, events } = page;
  const listener = listenTo(page.window.webContents.ipc, origin);
  const source = {
    server: origin,
    isWatched: page.isWatched,
    onOpen: (chatroom: string) => {
      page.show();
      deps.onShown(origin);
      events.send({ type: 'open-chat', chatroom });
    },
    // The page's outbox sends it: in order, once, and later if the server is away now.
    onReply: (chatroom: string, text: string) => events.send({ type: 'reply', chatroom, text }),
  };

  listener.answerSync(CHANNELS.start, () => ({
    features: deps.features(),
    preferences: settings.get().preferences,
  }));
  listener.hear(CHANNELS.ready, 'nothing', events.ready);
  listener.answer(CHANNELS.notify, 'notify', (notification) =>
    notifications.show(notification, source),
  );
  listener.hear(CHANNELS.withdraw, 'withdraw', (room) => notifications.withdraw(origin, room));
  listener.answer(CHANNELS.testNotification, 'nothing', () => notifications.test());
  listener.hear(CHANNELS.setUnread, 'setUnread', ({ count, picture }) => {
    // Nothing is unread, or nobody is signed in any more.
    if (count === 0) notifications.withdrawAll(origin);
    deps.onUnread(origin, count, picture);
  });
  listener.answer(CHANNELS.microphone, 'nothing', () =>
    microphoneState({
      platform: process.platform,
      system: systemPreferences,
      isAllowedHere: () => settings.get().preferences.microphone,
    }),
  );
  listener.hear(CHANNELS.openMicrophoneSettings, 'nothing', () => {
    const address = microphoneSettings(process.platform);
    if (address !== undefined) void shell.openExternal(address);
  });
  listener.answer(CHANNELS.setPreferences, 'setPreferences', (changed) => {
    settings.change((all) => ({ ...all, preferences: { ...all.preferences, ...changed } }));
    const { preferences } = settings.get();
    deps.onPreferences(preferences);
    return preferences;
  });
  listener.hear(CHANNELS.setLanguage, 'setLanguage', deps.onLanguage);
}
