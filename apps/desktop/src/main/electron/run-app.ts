import type { DesktopFeatures } from '@parley/contract';
import { matchLanguage } from '@parley/texts';
import { app, Menu, Notification, shell } from 'electron';
import { rm } from 'node:fs/promises';
import type { ServerChatroom } from '../notifications/notification-id.ts';
import { createNotificationCenter } from '../notifications/notification-center.ts';
import { findServerOfLink, type DeepLink } from '../links/deep-link.ts';
import { AT_LOGIN } from '../autostart/autostart-entry.ts';
import { createApplicationMenu } from '../menu/application-menu.ts';
import { log } from '../log/log.ts';
import { findMicrophoneSettings } from '../microphone/microphone.ts';
import { listAssets } from '../origin/assets.ts';
import { findActiveServer } from '../servers/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { getTexts } from '../../texts/texts.ts';
import { waitForTray } from '../tray/wait-for-tray.ts';
import type { AppLinks } from './app-links.ts';
import { createTray } from './app-tray.ts';
import { createAppWindows, openKnownServers } from './app-windows.ts';
import { handleEarlierNotifications } from './earlier-notifications.ts';
import { createUpdateNotifier } from './update-notifier.ts';
import { paths } from './paths.ts';
import { quitCleanly } from './quit.ts';
import { servePage } from './serve-page.ts';
import { showServerPicker } from './server-picker.ts';
import { createStartAtLogin } from './start-at-login.ts';
import { createShellWindows } from './shell-windows.ts';
import { watchSystem } from './system-events.ts';
import { createUnreadDisplay } from './unread-display.ts';

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
  const features = (): DesktopFeatures => ({
    tray: tray.isUsable(),
    startAtLogin: startAtLogin.isPossible,
    updates: updates.state() !== undefined,
    // On Linux, Electron can neither request a sound nor prevent one. Most desktops play none.
    notificationSound: platform !== 'linux',
    unreadPicture: platform === 'win32',
    microphoneSettings: findMicrophoneSettings(platform) !== undefined,
  });

  const trayState = () => ({ texts: texts(), unread: unread.total(), servers: servers() });
  const tray = createTray(
    platform,
    {
      show: showActive,
      openServer,
      manageServers,
      quit: () => app.quit(),
    },
    trayState,
  );

  const notifications = createNotificationCenter({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    remove: (id) => Notification.remove(id),
    platform,
    preferences: () => {
      const { notifications: isOn, notificationContent: showsContent } = settings.get().preferences;
      return { isOn, showsContent };
    },
    texts,
  });

  const unread = createUnreadDisplay((origin) => windows.of(origin)?.window, texts, refresh);

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
    onActive: activate,
    serve: (page) =>
      servePage(page, {
        settings,
        startAtLogin,
        notifications,
        features,
        onUnread: unread.set,
        onPreferences: refresh,
        onManageServers: manageServers,
        onCheckForUpdates: updates.checkNow,
        onReviewCertificate: (origin) => chooseServer(origin),
        onLanguage: (chosen) => {
          if (settings.get().language === chosen) return;
          settings.change((all) => ({ ...all, language: chosen }));
          refresh();
        },
        onShown: activate,
      }),
  });

  const shellWindows = createShellWindows(await listAssets(paths.shell), texts);
  const shellStart = (address: string | undefined) => {
    const active = findActiveServer(settings.get())?.origin;
    return {
      language: language(),
      servers: servers(),
      ...(active !== undefined && { active }),
      ...(address !== undefined && { address }),
    };
  };

  function activate(origin: string): void {
    if (settings.get().active === origin) return;
    settings.change((all) => ({ ...all, active: origin }));
    refresh();
  }

  function openServer(origin: string): void {
    activate(origin);
    windows.show(origin);
  }

  function manageServers(): void {
    chooseServer();
  }

  /** @param address checked as soon as the window opens */
  function chooseServer(address?: string): void {
    showServerPicker({
      settings,
      shell: shellWindows,
      texts,
      start: () => shellStart(address),
      atStart,
      onChosen: openServer,
      onClosed: windows.quitIfNoneVisible,
      onAdded: (origin) => {
        refresh();
        windows.reopen(origin).show();
      },
      onRemoved: async (origin) => {
        await windows.remove(origin);
        refresh();
      },
    });
  }

  function showActive(): void {
    const active = findActiveServer(settings.get());
    if (active === undefined) manageServers();
    else openServer(active.origin);
  }

  function openLink(link: DeepLink): void {
    const origin = findServerOfLink(link, servers(), findActiveServer(settings.get())?.origin);
    if (origin === undefined) {
      showActive();
      return;
    }
    openChatroom({ server: origin, chatroom: link.chatroom });
  }

  function openChatroom({ server, chatroom }: ServerChatroom): void {
    activate(server);
    const { events } = windows.show(server);
    events.send({ type: 'open-chat', chatroom });
  }

  function refresh(): void {
    const menu = createApplicationMenu(
      {
        platform,
        texts: texts(),
        servers: servers(),
        active: findActiveServer(settings.get())?.origin,
        updates: updates.state(),
        isSpellChecked: settings.get().spellCheck,
      },
      {
        openServer,
        manageServers,
        checkUpdates: updates.checkNow,
        showLog: () => shell.showItemInFolder(paths.log()),
        setSpellCheck: (isOn) => {
          settings.change((all) => ({ ...all, spellCheck: isOn }));
          windows.setSpelling(isOn);
        },
      },
    );
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    tray.update(trayState());
  }

  const isTrayUsable = await tray.check();
  refresh();
  updates.start();
  watchSystem({
    onResume: () => windows.sendToAll({ type: 'resume' }),
    onNetworkGone: windows.renewCertificateChecks,
  });
  // While a window is visible, macOS brings the app forward by itself.
  app.on('activate', (_event, hasVisibleWindows) => {
    if (!hasVisibleWindows) showActive();
  });
  if (platform === 'linux') app.on('browser-window-focus', () => void tray.check());
  quitCleanly(windows.prepareToQuit, async () => {
    for (const origin of servers()) notifications.withdrawAll(origin);
    await Promise.allSettled([windows.save(), settings.saved()]);
  });

  const isAtLogin = process.argv.includes(AT_LOGIN);
  const isHidden =
    settings.get().preferences.startHidden && (isTrayUsable || isAtLogin || platform === 'darwin');
  if (servers().length === 0) manageServers();
  else openKnownServers(windows, settings, isHidden);
  links.listen(openLink, showActive);
  if (isAtLogin && !isTrayUsable) void awaitTray();

  /** Shows the app after a hidden start if no tray appears, as the user could not open it otherwise. */
  async function awaitTray(): Promise<void> {
    if (!(await waitForTray(tray.check)) && !windows.isAnyWindowVisible()) showActive();
  }

  await handleEarlierNotifications({
    platform,
    servers,
    notifications,
    launch: links.launch(),
    openChatroom,
    reply: ({ server, chatroom }, text) => {
      windows.open(server).events.send({ type: 'reply', chatroom, text });
    },
    showActive,
  });
}
