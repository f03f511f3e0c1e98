import type { DesktopEvent } from '@parley/contract';
import { BrowserWindow } from 'electron';
import type { Assets } from '../origin/assets.ts';
import { openLastAnswers, type LastAnswers } from '../origin/last-answers.ts';
import { log } from '../log/log.ts';
import { activeServer } from '../servers/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { setSpelling } from '../spelling/spelling.ts';
import type { Texts } from '../../texts/texts.ts';
import { planClose } from '../window/close-plan.ts';
import { paths } from './paths.ts';
import { eraseServer, openServerSession, type ServerSession } from './server-session.ts';
import { openServerWindow, type ServerWindow } from './server-window.ts';
import { systemVault } from './vault.ts';

/** The servers' windows. Each known server has one, shown or hidden, so that messages arrive from all. */
export interface AppWindows {
  /** Opens what is not open yet, and brings it forward. */
  show: (origin: string) => Promise<ServerWindow>;
  /** Opens it hidden. */
  open: (origin: string) => Promise<ServerWindow>;
  /** Opens it anew, as what is known of the server has changed. */
  reopen: (origin: string) => Promise<ServerWindow>;
  of: (origin: string) => ServerWindow | undefined;
  /** Closes its window and erases what is stored of it. */
  forget: (origin: string) => Promise<void>;
  setSpelling: (isOn: boolean) => void;
  /** Tells every page. */
  tellAll: (event: DesktopEvent) => void;
  /** The network process is a new one: what it was told has to be told again. */
  renewCertificateChecks: () => void;
  /** Whether any window of the app can be seen, is in the taskbar or is about to appear. */
  isSeen: () => boolean;
  /** Ends the app if no window is to be seen and nothing else is there to bring one back. */
  endIfUnseen: () => void;
  /** Lets windows close from now on. */
  prepareToQuit: () => void;
  /** Resolves once everything that is kept is on the disk. */
  saved: () => Promise<unknown>;
}

interface AppWindowsDeps {
  settings: SettingsFile;
  assets: Assets;
  texts: () => Texts;
  hasTray: () => boolean;
  /** Checks anew whether the tray can bring windows back. */
  checkTray: () => Promise<boolean>;
  /** Called when a server's window closes for good, to withdraw its notifications and badge. */
  onGone: (origin: string) => void;
  serve: (page: ServerWindow & ServerSession) => void;
  onActive: (origin: string) => void;
}

interface Opened extends ServerWindow, ServerSession {
  lastAnswers: LastAnswers;
}

/** Opens nothing yet. */
export function createAppWindows(deps: AppWindowsDeps): AppWindows {
  const { settings } = deps;
  const vault = systemVault(process.platform);
  const opened = new Map<string, Promise<Opened>>();
  const present = new Map<string, Opened>();
  let isQuitting = false;

  function shouldHide(window: BrowserWindow): boolean {
    const plan = planClose({
      platform: process.platform,
      isQuitting,
      hasTray: deps.hasTray(),
      closeToTray: settings.get().preferences.closeToTray,
      hasVisibleOthers: isSeen(window),
    });
    return plan === 'hide';
  }

  async function create(origin: string): Promise<Opened> {
    const lastAnswers = await openLastAnswers(paths.lastAnswers(origin), vault);
    const { session, certificate } = openServerSession(origin, {
      settings,
      assets: deps.assets,
      lastAnswers,
      onCertificate: (isRefused) => {
        log.warn('certificate', { isRefused });
        present.get(origin)?.events.send({ type: 'certificate', isRefused });
      },
    });
    const page = openServerWindow(origin, {
      session,
      settings,
      texts: deps.texts,
      shouldHide,
      onFocus: () => deps.onActive(origin),
      onLeft: () => void lastAnswers.save(),
      onHidden: () => void endUnlessTrayIsUsable(),
    });
    const all: Opened = { ...page, session, certificate, lastAnswers };
    page.window.on('closed', () => {
      if (present.get(origin) !== all) return;
      present.delete(origin);
      opened.delete(origin);
      deps.onGone(origin);
      // Hidden windows of other servers would keep an app alive that nobody sees any more.
      if (!isSeen(page.window)) end();
    });
    present.set(origin, all);
    deps.serve(all);
    // The preload asks at once: what answers it has to be there first.
    page.load();
    return all;
  }

  /** Whether any window but `except` can be seen, is in the taskbar or is about to appear. */
  function isSeen(except?: BrowserWindow): boolean {
    const hideable = new Set([...present.values()].map(({ window }) => window));
    return BrowserWindow.getAllWindows().some(
      (window) =>
        window !== except && (window.isVisible() || window.isMinimized() || !hideable.has(window)),
    );
  }

  function endIfUnseen(): void {
    const { closeToTray, startHidden } = settings.get().preferences;
    const staysInTray = deps.hasTray() && (closeToTray || startHidden);
    if (!staysInTray && !isSeen()) end();
  }

  /** A panel may have gone since the last check. Without it nothing would bring the window back. */
  async function endUnlessTrayIsUsable(): Promise<void> {
    if (!isSeen() && !(await deps.checkTray())) endIfUnseen();
  }

  function end(): void {
    // On a Mac the app goes on without windows and comes back from the dock.
    if (isQuitting || process.platform === 'darwin') return;
    isQuitting = true;
    for (const { window } of present.values()) window.close();
  }

  function open(origin: string): Promise<Opened> {
    const known = opened.get(origin);
    if (known !== undefined) return known;
    const opening = create(origin);
    opened.set(origin, opening);
    // The next one who asks tries again.
    opening.catch(() => opened.delete(origin));
    return opening;
  }

  function destroy(origin: string): void {
    const page = present.get(origin);
    present.delete(origin);
    opened.delete(origin);
    if (page === undefined) return;
    page.window.destroy();
    deps.onGone(origin);
  }

  return {
    open,
    of: (origin) => present.get(origin),
    show: async (origin) => {
      // Without waiting where it is there already: the system gives the focus only within the click.
      const page = present.get(origin) ?? (await open(origin));
      page.show();
      return page;
    },
    reopen: (origin) => {
      destroy(origin);
      return open(origin);
    },
    forget: async (origin) => {
      const page = present.get(origin);
      destroy(origin);
      const lastAnswers =
        page?.lastAnswers ?? (await openLastAnswers(paths.lastAnswers(origin), vault));
      await eraseServer(origin, lastAnswers);
    },
    setSpelling: (isOn) => {
      for (const { session } of present.values()) setSpelling(session, isOn, process.platform);
    },
    tellAll: (event) => {
      for (const { events } of present.values()) events.send(event);
    },
    renewCertificateChecks: () => {
      for (const { certificate } of present.values()) certificate.install();
    },
    isSeen: () => isSeen(),
    endIfUnseen,
    prepareToQuit: () => {
      isQuitting = true;
    },
    saved: () =>
      Promise.allSettled(
        [...present.values()].flatMap(({ lastAnswers, session }) => [
          lastAnswers.save(),
          session.cookies.flushStore(),
        ]),
      ),
  };
}

/** Opens every known server; the one that was in front last comes forward unless the app starts hidden. */
export async function openKnownServers(
  windows: AppWindows,
  settings: SettingsFile,
  isHidden: boolean,
): Promise<void> {
  const front = activeServer(settings.get())?.origin;
  if (front === undefined) return;
  if (isHidden) await windows.open(front);
  else await windows.show(front);
  for (const { origin } of settings.get().servers) {
    if (origin !== front) await windows.open(origin);
  }
}
