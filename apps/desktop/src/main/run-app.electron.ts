import type { DesktopFeatures } from '@parley/contract';
import { matchLanguage, type Language } from '@parley/texts';
import { app, BrowserWindow, Menu, Notification, shell, type NavigationHistory } from 'electron';
import { rm } from 'node:fs/promises';
import { getTexts, type Texts } from '../texts/desktop-texts.ts';
import {
  createNotificationCenter,
  type NotificationCenter,
} from './notifications/notification-center.ts';
import { createApplicationMenu, type ApplicationMenuState } from './menu/application-menu.ts';
import { log } from './log/log.ts';
import { findMicrophoneSettings } from './microphone/microphone.ts';
import { listAssets } from './origin/assets.ts';
import { findActiveServer } from './settings/server-list.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import { waitForTray } from './tray/tray-host.ts';
import type { AppLinks } from './links/app-links.electron.ts';
import { createAppNavigation, type AppNavigation } from './app-navigation.electron.ts';
import { createTray, type AppTray } from './tray/app-tray.electron.ts';
import {
  createAppWindows,
  openKnownServers,
  type AppWindows,
} from './window/app-windows.electron.ts';
import { handleEarlierNotifications } from './notifications/earlier-notifications.electron.ts';
import { createUpdateNotifier, type UpdateNotifier } from './updates/update-notifier.electron.ts';
import { paths } from './app-paths.electron.ts';
import { quitCleanly } from './quit/quit.electron.ts';
import { servePage } from './serve-page.electron.ts';
import {
  createStartAtLogin,
  wasStartedAtLogin,
  type StartAtLogin,
} from './autostart/start-at-login.electron.ts';
import { createPickerWindow } from './picker/picker-window.electron.ts';
import { watchSystem } from './system/system-events.electron.ts';
import { createUnreadDisplay } from './badge/unread-display.electron.ts';

/** Wires the parts of the app together once Electron is ready. */
export async function runApp(settings: SettingsFile, links: AppLinks): Promise<void> {
  const { platform } = process;
  const language = () => settings.get().language ?? matchLanguage(app.getLocale());
  const texts = () => getTexts(language());
  const servers = () => settings.get().servers.map(({ origin }) => origin);
  const atStart = servers();
  rm(paths.oldResponses(), { recursive: true, force: true }).catch((error: unknown) =>
    log.error('old-answers-not-removed', error),
  );

  const startAtLogin = createStartAtLogin(platform, process.env);
  const updates = createUpdateNotifier({
    settings,
    texts,
    onState: refresh,
    prepareToQuit: () => windows.prepareToQuit(),
  });
  const trayState = () => ({ texts: texts(), unread: unread.total(), servers: servers() });
  const tray = createTray(
    platform,
    {
      show: () => navigation.showActive(),
      openServer: (origin) => navigation.openServer(origin),
      manageServers: () => navigation.manageServers(),
      quit: () => app.quit(),
    },
    trayState,
  );
  const notifications = createSystemNotifications(settings, texts);
  const unread = createUnreadDisplay(
    platform,
    (origin) => windows.find(origin)?.window,
    texts,
    () => tray.update(trayState()),
  );
  const applicationMenu = createMenuBar();

  const windows = createAppWindows({
    settings,
    assets: await listAssets(paths.renderer),
    texts,
    hasTray: () => tray.isUsable(),
    checkTray: () => tray.check(),
    onGone: (origin) => {
      notifications.withdrawAll(origin);
      unread.set(origin, 0, undefined);
    },
    onActive: (origin) => navigation.activate(origin),
    onShown: unread.restore,
    serve: (page) =>
      servePage(page, {
        settings,
        startAtLogin,
        notifications,
        features: () => listFeatures(tray, startAtLogin, updates),
        onUnread: unread.set,
        onPreferences: refresh,
        onManageServers: navigation.manageServers,
        onCheckForUpdates: updates.checkNow,
        onReviewCertificate: navigation.checkServer,
        onLanguage: (chosen) => {
          if (settings.get().language === chosen) return;
          settings.change((all) => ({ ...all, language: chosen }));
          refresh();
        },
        onShown: navigation.activate,
      }),
  });

  const navigation = createAppNavigation({
    settings,
    windows,
    pickerWindow: createPickerWindow(await listAssets(paths.picker), texts),
    language,
    texts,
    servers,
    atStart,
    onChange: refresh,
  });

  /** Updates the application menu and the tray. */
  function refresh(): void {
    applicationMenu.update({ settings, language, texts, servers, updates, windows, navigation });
    tray.update(trayState());
  }

  const isTrayUsable = await tray.check();
  refresh();
  updates.start();
  const parts = { settings, servers, tray, notifications, windows, navigation };
  handleAppEvents(parts);
  openAtStart(parts, links, isTrayUsable);
  await handleEarlierNotifications({
    platform,
    servers,
    notifications,
    launch: links.launch(),
    openChatroom: navigation.openChatroom,
    reply: ({ server, chatroomId }, text) => {
      windows.open(server).events.send({ type: 'reply', chatroom: chatroomId, text });
    },
    showActive: navigation.showActive,
  });
}

/** The parts of the app that its start needs. */
interface AppParts {
  settings: SettingsFile;
  /** Returns the origins of the known servers. */
  servers: () => string[];
  tray: AppTray;
  notifications: NotificationCenter;
  windows: AppWindows;
  navigation: AppNavigation;
}

function createSystemNotifications(settings: SettingsFile, texts: () => Texts): NotificationCenter {
  return createNotificationCenter({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    remove: (id) => Notification.remove(id),
    platform: process.platform,
    preferences: () => {
      const { notifications: isOn, notificationContent: showsContent } = settings.get().preferences;
      return { isOn, showsContent };
    },
    texts,
  });
}

function listFeatures(
  tray: AppTray,
  startAtLogin: StartAtLogin,
  updates: UpdateNotifier,
): DesktopFeatures {
  const { platform } = process;
  return {
    tray: tray.isUsable(),
    startAtLogin: startAtLogin.isPossible,
    updates: updates.state() !== undefined,
    // On Linux, Electron can neither request a sound nor prevent one. Most desktops play none.
    notificationSound: platform !== 'linux',
    unreadPicture: platform === 'win32',
    microphoneSettings: findMicrophoneSettings(platform) !== undefined,
  };
}

interface MenuParts extends Pick<AppParts, 'settings' | 'servers' | 'windows' | 'navigation'> {
  language: () => Language;
  texts: () => Texts;
  updates: UpdateNotifier;
}

/** Creates the application menu, which is only replaced if it has changed, as replacing closes an open one. */
function createMenuBar(): { update: (parts: MenuParts) => void } {
  let shown = '';
  return {
    update: (parts) => {
      const { settings, language, servers, updates } = parts;
      const state = {
        platform: process.platform,
        servers: servers(),
        active: findActiveServer(settings.get())?.origin,
        updates: updates.state(),
        isSpellCheckOn: settings.get().spellCheck,
      };
      const key = JSON.stringify([language(), state]);
      if (key === shown) return;
      shown = key;
      setApplicationMenu({ ...state, texts: parts.texts() }, parts);
    },
  };
}

function setApplicationMenu(state: ApplicationMenuState, parts: MenuParts): void {
  const { settings, updates, windows, navigation } = parts;
  const menu = createApplicationMenu(state, {
    openServer: navigation.openServer,
    manageServers: navigation.manageServers,
    checkForUpdates: updates.checkNow,
    showLog: () => shell.showItemInFolder(paths.log()),
    goBack: () => getFocusedHistory()?.goBack(),
    goForward: () => getFocusedHistory()?.goForward(),
    setSpellCheck: (isOn) => {
      settings.change((all) => ({ ...all, spellCheck: isOn }));
      windows.setSpelling(isOn);
    },
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
}

function getFocusedHistory(): NavigationHistory | undefined {
  return BrowserWindow.getFocusedWindow()?.webContents.navigationHistory;
}

/** Handles events of the system and the app until the app has quit. */
function handleAppEvents(parts: AppParts): void {
  const { settings, servers, tray, notifications, windows, navigation } = parts;
  watchSystem({
    onResume: () => windows.sendToAll({ type: 'resume' }),
    onNetworkGone: windows.reinstallCertificateChecks,
  });
  // While a window is visible, macOS brings the app forward by itself.
  app.on('activate', (_event, hasVisibleWindows) => {
    if (!hasVisibleWindows) navigation.showActive();
  });
  if (process.platform === 'linux') app.on('browser-window-focus', () => void tray.check());
  quitCleanly(windows.prepareToQuit, async () => {
    for (const origin of servers()) notifications.withdrawAll(origin);
    await Promise.allSettled([windows.save(), settings.saved()]);
  });
}

/** Opens the windows of the known servers, or the server picker, and the link that started the app. */
function openAtStart(parts: AppParts, links: AppLinks, isTrayUsable: boolean): void {
  const { settings, servers, tray, windows, navigation } = parts;
  const isAtLogin = wasStartedAtLogin(process.platform);
  const isHidden = settings.get().preferences.startHidden && isAtLogin;
  if (servers().length === 0) navigation.manageServers();
  else openKnownServers(windows, settings, isHidden);
  links.listen(navigation.openLink, navigation.showActive);
  if (isAtLogin && !isTrayUsable) void awaitTray();

  /** Shows the app after a hidden start if no tray appears, as the user could not open it otherwise. */
  async function awaitTray(): Promise<void> {
    const hasTray = await waitForTray(tray.check);
    if (!hasTray && !windows.isAnyWindowVisible()) navigation.showActive();
  }
}
