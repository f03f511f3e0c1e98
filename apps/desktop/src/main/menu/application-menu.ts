import { fill } from '@parley/texts';
import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../../texts/texts.ts';
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
  isSpellChecked: boolean;
}

/** The actions of the menu. */
export interface MenuActions {
  openServer: (origin: string) => void;
  manageServers: () => void;
  checkUpdates: () => void;
  showLog: () => void;
  setSpellCheck: (isOn: boolean) => void;
}

/** Returns the menu bar. It depends on no page, so it works even if a page stays blank. */
export function applicationMenu(state: ApplicationMenuState, actions: MenuActions): Item[] {
  const { platform, texts } = state;
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [macMenu(texts)] : []),
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
    editMenu(state, actions),
    viewMenu(texts),
    serversMenu(state, actions),
    {
      role: 'window',
      label: texts.window,
      submenu: [
        { role: 'minimize', label: texts.minimize },
        ...(isMac ? [{ role: 'front', label: texts.front } satisfies Item] : []),
      ],
    },
    ...helpMenu(state, actions),
  ];
}

function macMenu(texts: Texts): Item {
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

function editMenu({ texts, isSpellChecked }: ApplicationMenuState, actions: MenuActions): Item {
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
        checked: isSpellChecked,
        click: ({ checked }) => actions.setSpellCheck(checked),
      },
    ],
  };
}

function viewMenu(texts: Texts): Item {
  return {
    label: texts.view,
    submenu: [
      { role: 'reload', label: texts.reload },
      { type: 'separator' },
      { role: 'resetZoom', label: texts.resetZoom },
      { role: 'zoomIn', label: texts.zoomIn },
      { role: 'zoomOut', label: texts.zoomOut },
      // Electron's own shortcut for zooming in is “+”, which most keyboards have only with Shift.
      hiddenItem('zoomIn', texts.zoomIn, 'CmdOrCtrl+='),
      hiddenItem('zoomIn', texts.zoomIn, 'CmdOrCtrl+numadd'),
      hiddenItem('zoomOut', texts.zoomOut, 'CmdOrCtrl+numsub'),
      hiddenItem('resetZoom', texts.resetZoom, 'CmdOrCtrl+num0'),
      { type: 'separator' },
      { role: 'togglefullscreen', label: texts.fullScreen },
      { role: 'toggleDevTools', label: texts.developerTools },
    ],
  };
}

/** Returns a hidden item that adds a shortcut for a role. Its shortcut works on every system. */
function hiddenItem(role: NonNullable<Item['role']>, label: string, accelerator: string): Item {
  return { role, label, accelerator, visible: false, acceleratorWorksWhenHidden: true };
}

function serversMenu({ texts, servers, active }: ApplicationMenuState, actions: MenuActions): Item {
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

function helpMenu(
  { platform, texts, updates }: ApplicationMenuState,
  actions: MenuActions,
): Item[] {
  const submenu: Item[] = [
    ...(updates === undefined ? [] : [updateItem(updates, texts, actions)]),
    { label: texts.showLog, click: actions.showLog },
    ...(platform === 'darwin' ? [] : [{ role: 'about', label: texts.about } satisfies Item]),
  ];
  return [{ role: 'help', label: texts.help, submenu }];
}

function updateItem(state: UpdateState, texts: Texts, { checkUpdates }: MenuActions): Item {
  if (state.kind === 'downloading') {
    return {
      label: fill(texts.updateDownloading, { version: state.version, percent: state.percent }),
      enabled: false,
    };
  }
  const isReady = state.kind === 'ready';
  return {
    label: isReady ? fill(texts.updateRestart, { version: state.version }) : texts.checkUpdates,
    click: checkUpdates,
  };
}
