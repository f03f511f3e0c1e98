import type { MenuItemConstructorOptions } from 'electron';
import type { UpdateState } from '../updates/update-flow.ts';
import { describe, expect, test, vi } from 'vitest';
import { getTexts } from '../../texts/desktop-texts.ts';
import { createTrayMenu, getTrayTooltip } from '../tray/tray-menu.ts';
import { createApplicationMenu, type MenuActions } from './application-menu.ts';
import { createContextMenu, type Clicked, type ContextActions } from './context-menu.ts';

const texts = getTexts('en');
const createActions = (): MenuActions => ({
  openServer: vi.fn<MenuActions['openServer']>(),
  manageServers: vi.fn<MenuActions['manageServers']>(),
  checkForUpdates: vi.fn<MenuActions['checkForUpdates']>(),
  showLog: vi.fn<MenuActions['showLog']>(),
  setSpellCheck: vi.fn<MenuActions['setSpellCheck']>(),
  goBack: vi.fn<MenuActions['goBack']>(),
  goForward: vi.fn<MenuActions['goForward']>(),
});
const state = {
  platform: 'linux' as NodeJS.Platform,
  texts,
  servers: ['https://a.example', 'https://b.example:8443'],
  active: 'https://b.example:8443',
  updates: undefined,
  isSpellCheckOn: true,
};

/** Returns all items of a menu and its submenus. */
function flatten(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [
    item,
    ...(Array.isArray(item.submenu) ? flatten(item.submenu) : []),
  ]);
}
const labels = (items: MenuItemConstructorOptions[]) =>
  items.map(({ label, type }) => label ?? type);
function clickItem(items: MenuItemConstructorOptions[], label: string): void {
  const item = flatten(items).find((item) => item.label === label);
  if (!item?.click) throw new Error(`no item with an action is called ${label}`);
  item.click({ checked: false } as never, undefined, {});
}

describe('the menu bar', () => {
  test('lists the servers and offers to manage them, even if there are none', () => {
    const actions = createActions();
    const menu = createApplicationMenu(state, actions);
    const radios = flatten(menu).filter(({ type }) => type === 'radio');
    expect(radios.map(({ label, checked }) => [label, checked])).toEqual([
      ['a.example', false],
      ['b.example:8443', true],
    ]);
    clickItem(menu, 'a.example');
    expect(actions.openServer).toHaveBeenCalledWith('https://a.example');
    clickItem(createApplicationMenu({ ...state, servers: [] }, actions), texts.manageServers);
    expect(actions.manageServers).toHaveBeenCalledOnce();
    clickItem(menu, texts.checkSpelling);
    expect(actions.setSpellCheck).toHaveBeenCalledWith(false);
  });

  test.each([
    ['darwin', 'Cmd+[', 'Cmd+]'],
    ['win32', 'Alt+Left', 'Alt+Right'],
    ['linux', 'Alt+Left', 'Alt+Right'],
  ] as const)('goes back and forward on %s with %s and %s', (platform, back, forward) => {
    const actions = createActions();
    const menu = createApplicationMenu({ ...state, platform }, actions);
    const shortcutOf = (label: string) =>
      flatten(menu).find((item) => item.label === label)?.accelerator;
    expect([shortcutOf(texts.back), shortcutOf(texts.forward)]).toEqual([back, forward]);
    clickItem(menu, texts.back);
    expect(actions.goBack).toHaveBeenCalledOnce();
    clickItem(menu, texts.forward);
    expect(actions.goForward).toHaveBeenCalledOnce();
  });

  test('is completely in German if the language is German', () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      const german = flatten(
        createApplicationMenu(
          { ...state, platform, texts: getTexts('de'), updates: { kind: 'idle' } },
          createActions(),
        ),
      );
      const labeled = german.filter(({ type }) => type !== 'separator');
      expect(labeled.every(({ label }) => label !== undefined && label !== '')).toBe(true);
      expect(labels(german)).toContain('Parley beenden');
    }
  });

  test('offers to check for updates only if a feed is configured, and shows the progress of an update', () => {
    const itemsWith = (updates: UpdateState | undefined) =>
      flatten(createApplicationMenu({ ...state, updates }, createActions())).map(
        ({ label, enabled }) => (enabled === false ? `(${label})` : label),
      );
    expect(itemsWith(undefined)).not.toContain('Check for Updates…');
    expect(itemsWith({ kind: 'idle' })).toContain('Check for Updates…');
    const version = '1.3.0';
    expect(itemsWith({ kind: 'downloading', version, percent: 40 })).toContain(
      '(Downloading Parley 1.3.0 (40%))',
    );
    expect(itemsWith({ kind: 'ready', version })).toContain('Restart to Install Parley 1.3.0');
  });
});

test('the menu zooms with shortcuts that need no Shift, and with the numeric keypad', () => {
  for (const platform of ['darwin', 'win32', 'linux'] as const) {
    const items = flatten(createApplicationMenu({ ...state, platform }, createActions()));
    const keys = items.flatMap(({ role, accelerator, visible }) =>
      accelerator !== undefined && visible === false ? [[role, accelerator]] : [],
    );
    expect(keys).toEqual([
      ['zoomIn', 'CmdOrCtrl+='],
      ['zoomIn', 'CmdOrCtrl+numadd'],
      ['zoomOut', 'CmdOrCtrl+numsub'],
      ['resetZoom', 'CmdOrCtrl+num0'],
    ]);
  }
});

describe('a right click', () => {
  const clicked: Clicked = {
    isEditable: false,
    selectionText: '',
    misspelledWord: '',
    dictionarySuggestions: [],
    linkURL: '',
    mediaType: 'none',
    srcURL: '',
    x: 1,
    y: 2,
    editFlags: { canCut: false, canCopy: false, canPaste: true },
  };
  const actions: ContextActions = {
    replaceMisspelling: vi.fn<ContextActions['replaceMisspelling']>(),
    learnWord: vi.fn<ContextActions['learnWord']>(),
    copyText: vi.fn<ContextActions['copyText']>(),
    copyImageAt: vi.fn<ContextActions['copyImageAt']>(),
    saveImage: vi.fn<ContextActions['saveImage']>(),
  };
  const menu = (changed: Partial<Clicked>) =>
    createContextMenu({ ...clicked, ...changed }, texts, actions);

  test('opens no menu on an empty area', () => {
    expect(menu({})).toEqual([]);
  });

  test('offers suggestions on a misspelled word', () => {
    const wrong = { isEditable: true, misspelledWord: 'helo', dictionarySuggestions: ['hello'] };
    expect(labels(menu(wrong))).toEqual([
      'hello',
      'Add to Dictionary',
      'separator',
      'Cut',
      'Copy',
      'Paste',
    ]);
    clickItem(menu(wrong), 'hello');
    expect(actions.replaceMisspelling).toHaveBeenCalledWith('hello');
    expect(labels(menu({ ...wrong, dictionarySuggestions: [] }))[0]).toBe('No suggestions');
  });

  test('offers to save and copy an image, to copy a link and to copy text', () => {
    clickItem(menu({ mediaType: 'image', srcURL: 'https://a.example/media/x.png' }), 'Save Image…');
    expect(actions.saveImage).toHaveBeenCalledWith('https://a.example/media/x.png');
    clickItem(menu({ mediaType: 'image' }), 'Copy Image');
    expect(actions.copyImageAt).toHaveBeenCalledWith(1, 2);
    clickItem(menu({ linkURL: 'https://x.example' }), 'Copy Link');
    expect(actions.copyText).toHaveBeenCalledWith('https://x.example');
    expect(labels(menu({ selectionText: 'a' }))).toEqual(['Copy']);
  });
});

test('the tray shows the unread count, lists several servers and opens the server list', () => {
  const actions = {
    show: vi.fn<() => void>(),
    openServer: vi.fn<(o: string) => void>(),
    manageServers: vi.fn<() => void>(),
    quit: vi.fn<() => void>(),
  };
  expect(labels(createTrayMenu(texts, 0, ['https://a.example'], actions))).toEqual([
    'Show Parley',
    texts.manageServers,
    'separator',
    'Quit Parley',
  ]);
  expect(labels(createTrayMenu(texts, 1, state.servers, actions))).toEqual([
    '1 unread message',
    'Show Parley',
    'a.example',
    'b.example:8443',
    texts.manageServers,
    'separator',
    'Quit Parley',
  ]);
  clickItem(createTrayMenu(texts, 0, [], actions), texts.manageServers);
  expect(actions.manageServers).toHaveBeenCalledOnce();
  expect(getTrayTooltip(getTexts('de'), 2)).toBe('Parley: 2 ungelesene Nachrichten');
  expect(getTrayTooltip(texts, 0)).toBe('Parley');
});
