import type { DesktopFeatures } from '@parley/contract';
import { app, Menu, Notification } from 'electron';
import { createNotificationCenter } from '../notifications/notification-center.ts';
import { serverOfLink, type DeepLink } from '../links/deep-link.ts';
import { applicationMenu } from '../menu/application-menu.ts';
import { microphoneSettings } from '../microphone/microphone.ts';
import { listAssets } from '../origin/assets.ts';
import { activeServer } from '../servers/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { languageOf, textsOf } from '../texts/texts.ts';
import type { AppLinks } from './app-links.ts';
import { createTray, type AppTray } from './app-tray.ts';
import { createAppWindows, openKnownServers } from './app-windows.ts';
import { paths } from './paths.ts';
import { answerProxies } from './proxy-login.ts';
import { quitCleanly } from './quit.ts';
import { servePage } from './serve-page.ts';
import { showServerPicker } from './server-picker.ts';
import { createShellWindows } from './shell-windows.ts';
import { createUnreadDisplay } from './show-unread.ts';
import { createUpdateTeller } from './tell-updates.ts';

/** Wires the app together once Electron is ready; reading it top to bottom is the map. */
export async function runApp(settings: SettingsFile, links: AppLinks): Promise<void> {
  const { platform } = process;
  const language = () => settings.get().language ?? languageOf(app.getLocale());
  const texts = () => textsOf(language());
  const servers = () => settings.get().servers.map(({ origin }) => origin);
  const atStart = servers();
  let tray: AppTray | undefined;

  const updates = createUpdateTeller(settings, texts);
  const features = (): DesktopFeatures => ({
    tray: tray !== undefined,
    updates: updates.isPossible(),
    unreadPicture: platform === 'win32',
    microphoneSettings: microphoneSettings(platform) !== undefined,
  });

  const notifications = createNotificationCenter({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    platform,
    wishes: () => {
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
    hasTray: () => tray !== undefined,
    onActive: activate,
    serve: (page) =>
      servePage(page, {
        settings,
        notifications,
        features,
        onUnread: unread.set,
        onPreferences: refresh,
        onLanguage: (spoken) => {
          if (settings.get().language === spoken) return;
          settings.change((all) => ({ ...all, language: spoken }));
          refresh();
        },
        onShown: activate,
      }),
  });

  const shell = createShellWindows(await listAssets(paths.shell));
  const shellStart = () => {
    const active = activeServer(settings.get())?.origin;
    return { language: language(), servers: servers(), ...(active !== undefined && { active }) };
  };

  function activate(origin: string): void {
    if (settings.get().active === origin) return;
    settings.change((all) => ({ ...all, active: origin }));
    refresh();
  }

  async function openServer(origin: string): Promise<void> {
    activate(origin);
    await windows.show(origin);
  }

  function manageServers(): void {
    showServerPicker({
      settings,
      shell,
      texts,
      start: shellStart,
      atStart,
      onChosen: openServer,
      onClosed: windows.endIfUnseen,
      onAdded: async (origin) => {
        refresh();
        const page = await windows.reopen(origin);
        page.show();
      },
      onRemoved: async (origin) => {
        unread.set(origin, 0, undefined);
        notifications.withdrawAll(origin);
        await windows.forget(origin);
        refresh();
      },
    });
  }

  function showFront(): void {
    const front = activeServer(settings.get());
    if (front === undefined) manageServers();
    else void openServer(front.origin);
  }

  async function openLink(link: DeepLink): Promise<void> {
    const origin = serverOfLink(link, servers(), activeServer(settings.get())?.origin);
    if (origin === undefined) {
      showFront();
      return;
    }
    activate(origin);
    const { events } = await windows.show(origin);
    events.send({ type: 'open-chat', chatroom: link.chatroom });
  }

  function refresh(): void {
    const menu = applicationMenu(
      {
        platform,
        texts: texts(),
        servers: servers(),
        active: activeServer(settings.get())?.origin,
        hasUpdates: updates.isPossible(),
        isSpellChecked: settings.get().spellCheck,
      },
      {
        openServer: (origin) => void openServer(origin),
        manageServers,
        checkUpdates: updates.checkNow,
        setSpellCheck: (isOn) => {
          settings.change((all) => ({ ...all, spellCheck: isOn }));
          windows.setSpelling(isOn);
        },
      },
    );
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    tray?.update(texts(), unread.total(), servers());
  }

  answerProxies((question) => shell.proxy(texts().proxyTitle, shellStart(), question));
  tray = createTray(platform, {
    show: showFront,
    openServer: (origin) => void openServer(origin),
    quit: () => app.quit(),
  });
  refresh();
  updates.start();
  app.on('activate', showFront);
  quitCleanly(windows.prepareToQuit, async () => {
    for (const origin of servers()) notifications.withdrawAll(origin);
    await Promise.allSettled([windows.saved(), settings.saved()]);
  });

  const isHidden =
    settings.get().preferences.startHidden && (tray !== undefined || platform === 'darwin');
  if (servers().length === 0) manageServers();
  else await openKnownServers(windows, settings, isHidden);

  links.listen((link) => void openLink(link), showFront);
}
