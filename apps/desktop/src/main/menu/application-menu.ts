import { fill } from '@parley/texts';
import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../../texts/desktop-texts.ts';
import type { UpdateState } from '../updates/update-flow.ts';

type Item = MenuItemConstructorOptions;

/** The state that the menu shows. */
export interface ApplicationMenuState {
  platform: NodeJS.Platform;
  texts: Texts;
  /** Origins of the known servers. */
  servers: readonly string[];
  active: string | undefined;
  /** Progress of an update; `undefined` if no feed is configured. */
  updates: UpdateState | undefined;
  isSpellCheckOn: boolean;
}

/** The actions of the menu. */
export interface MenuActions {
  openServer: (origin: string) => void;
  manageServers: () => void;
  checkForUpdates: () => void;
  showLog: () => void;
  setSpellCheck: (isOn: boolean) => void;
  /** Goes back in the history of the window with the focus. */
  goBack: () => void;
  goForward: () => void;
}

/** Returns the menu bar. It depends on no page, so it works even if a page stays blank. */
export function createApplicationMenu(state: ApplicationMenuState, actions: MenuActions): Item[] {
  const { platform, texts } = state;
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [createMacMenu(texts)] : []),
    {
      label: texts.file,
      submenu: [
        {
          label: texts.manageServers,
          accelerator: 'CmdOrCtrl+Shift+S',
          click: actions.manageServers,
        },
        { type: 'separator' },
        { role: 'close', label: texts.close },
        ...(isMac ? [] : [{ role: 'quit', label: texts.quit } satisfies Item]),
      ],
    },
    createEditMenu(state, actions),
    createViewMenu(state, actions),
    createServersMenu(state, actions),
    {
      role: 'window',
      label: texts.window,
      submenu: [
        { role: 'minimize', label: texts.minimize },
        ...(isMac ? [{ role: 'front', label: texts.front } satisfies Item] : []),
      ],
    },
    createHelpMenu(state, actions),
  ];
}

function createMacMenu(texts: Texts): Item {
  return {
    label: texts.app,
    submenu: [
      { role: 'about', label: texts.about },
      { type: 'separator' },
      { role: 'services', label: texts.services },
      { type: 'separator' },
      { role: 'hide', label: texts.hide },
      { role: 'hideOthers', label: texts.hideOthers },
      { role: 'unhide', label: texts.showAll },
      { type: 'separator' },
      { role: 'quit', label: texts.quit },
    ],
  };
}

function createEditMenu(
  { texts, isSpellCheckOn }: ApplicationMenuState,
  actions: MenuActions,
): Item {
  return {
    label: texts.edit,
    submenu: [
      { role: 'undo', label: texts.undo },
      { role: 'redo', label: texts.redo },
      { type: 'separator' },
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'pasteAndMatchStyle', label: texts.pasteAsText },
      { role: 'delete', label: texts.delete },
      { role: 'selectAll', label: texts.selectAll },
      { type: 'separator' },
      {
        label: texts.checkSpelling,
        type: 'checkbox',
        checked: isSpellCheckOn,
        click: ({ checked }) => actions.setSpellCheck(checked),
      },
    ],
  };
}

function createViewMenu({ platform, texts }: ApplicationMenuState, actions: MenuActions): Item {
  // The usual shortcuts of browsers, which Electron has not.
  const [back, forward] =
    platform === 'darwin' ? (['Cmd+[', 'Cmd+]'] as const) : (['Alt+Left', 'Alt+Right'] as const);
  return {
    label: texts.view,
    submenu: [
      { label: texts.back, accelerator: back, click: actions.goBack },
      { label: texts.forward, accelerator: forward, click: actions.goForward },
      { role: 'reload', label: texts.reload },
      { type: 'separator' },
      { role: 'resetZoom', label: texts.resetZoom },
      { role: 'zoomIn', label: texts.zoomIn },
      { role: 'zoomOut', label: texts.zoomOut },
      // Electron's own shortcut for zooming in is “+”, which most keyboards have only with Shift.
      createHiddenItem('zoomIn', texts.zoomIn, 'CmdOrCtrl+='),
      createHiddenItem('zoomIn', texts.zoomIn, 'CmdOrCtrl+numadd'),
      createHiddenItem('zoomOut', texts.zoomOut, 'CmdOrCtrl+numsub'),
      createHiddenItem('resetZoom', texts.resetZoom, 'CmdOrCtrl+num0'),
      { type: 'separator' },
      { role: 'togglefullscreen', label: texts.fullScreen },
      { role: 'toggleDevTools', label: texts.developerTools },
    ],
  };
}

/** Returns a hidden item that adds a shortcut for a role. Its shortcut works on every system. */
function createHiddenItem(
  role: NonNullable<Item['role']>,
  label: string,
  accelerator: string,
): Item {
  return { role, label, accelerator, visible: false, acceleratorWorksWhenHidden: true };
}

function createServersMenu(
  { texts, servers, active }: ApplicationMenuState,
  actions: MenuActions,
): Item {
  const known = servers.map((origin, index): Item => ({
    label: new URL(origin).host,
    type: 'radio',
    checked: origin === active,
    ...(index < 9 && { accelerator: `CmdOrCtrl+${index + 1}` }),
    click: () => actions.openServer(origin),
  }));
  return {
    label: texts.servers,
    submenu: [
      ...known,
      ...(known.length > 0 ? [{ type: 'separator' } satisfies Item] : []),
      { label: texts.manageServers, click: actions.manageServers },
    ],
  };
}

function createHelpMenu(
  { platform, texts, updates }: ApplicationMenuState,
  actions: MenuActions,
): Item {
  const submenu: Item[] = [
    ...(updates === undefined ? [] : [createUpdateItem(updates, texts, actions)]),
    { label: texts.showLog, click: actions.showLog },
    ...(platform === 'darwin' ? [] : [{ role: 'about', label: texts.about } satisfies Item]),
  ];
  return { role: 'help', label: texts.help, submenu };
}

function createUpdateItem(
  state: UpdateState,
  texts: Texts,
  { checkForUpdates }: MenuActions,
): Item {
  if (state.kind === 'downloading') {
    return {
      label: fill(texts.updateDownloading, { version: state.version, percent: state.percent }),
      enabled: false,
    };
  }
  const isReady = state.kind === 'ready';
  return {
    label: isReady ? fill(texts.updateRestart, { version: state.version }) : texts.checkForUpdates,
    click: checkForUpdates,
  };
}
