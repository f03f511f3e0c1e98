import type {
  DesktopEvent,
  DesktopMicrophone,
  DesktopStart,
  NotificationOutcome,
} from '@parley/contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';

const PRELOAD = join(import.meta.dirname, '../../../../desktop/out/preload/server.cjs');

/** What the main process would answer. */
export interface MainAnswers {
  /** Null for a page that the main process refuses. */
  start?: Partial<DesktopStart> | null;
  notify?: NotificationOutcome;
  /** The system keeps quiet for its user. */
  isDoNotDisturb?: boolean;
  testNotification?: NotificationOutcome;
  microphone?: DesktopMicrophone;
  /** Byte that the key of the storage consists of. Null for a system without a keyring. */
  storageKey?: number | null;
  /** Whether the key waits for `unlockKeyring`. */
  isKeyringLocked?: boolean;
}

/** A message of the page to the main process. */
export interface BridgeCall {
  channel: string;
  args: unknown[];
}

/** The main process's side of a page's bridge. */
export interface MainSide {
  /** Every message of a channel so far, without its prefix. */
  calls: (channel: string) => Promise<unknown[]>;
  /** Something happens outside the page. */
  emit: (event: DesktopEvent) => Promise<void>;
  /** Says whether the person looks at the window. */
  setFocus: (isFocused: boolean) => Promise<void>;
  unlockKeyring: () => Promise<void>;
}

/** What the page learns at its start unless a test says otherwise. */
export const START: DesktopStart = {
  features: {
    tray: true,
    startAtLogin: true,
    notificationSound: true,
    updates: false,
    unreadPicture: true,
    microphoneSettings: true,
  },
  preferences: {
    notifications: true,
    notificationContent: true,
    microphone: true,
    closeToTray: false,
    startHidden: false,
    startAtLogin: false,
    updates: false,
  },
};

/**
 * Puts the built preload into a page before anything of its own runs, as Electron does; only the main
 * process behind it is played. Every payload goes through `structuredClone`, as over a real channel.
 */
export async function withBridge(page: Page, answers: MainAnswers = {}): Promise<MainSide> {
  const code = readFileSync(PRELOAD, 'utf8');
  const given = {
    start: answers.start === null ? null : { ...START, ...answers.start },
    notify: answers.notify ?? 'shown',
    'is-do-not-disturb': answers.isDoNotDisturb ?? false,
    'test-notification': answers.testNotification ?? 'shown',
    microphone: answers.microphone ?? 'available',
    'storage-key': answers.storageKey === undefined ? 7 : answers.storageKey,
  };
  await page.addInitScript(`(() => {
    const given = ${JSON.stringify(given)};
    const calls = [];
    const listeners = new Set();
    const keyring = Promise.withResolvers();
    if (!${answers.isKeyringLocked === true}) keyring.resolve();
    const note = (channel, args) => {
      const name = channel.replace('parley:', '');
      calls.push({ channel: name, args: structuredClone(args) });
      return name;
    };
    const ipcRenderer = {
      sendSync: (channel) => structuredClone(given[channel.replace('parley:', '')] ?? null),
      send: (channel, ...args) => void note(channel, args),
      invoke: async (channel, ...args) => {
        const name = note(channel, args);
        if (name === 'set-preferences') {
          given.start.preferences = { ...given.start.preferences, ...args[0] };
          return structuredClone(given.start.preferences);
        }
        if (name === 'storage-key') {
          await keyring.promise;
          return given[name] === null ? null : new Uint8Array(32).fill(given[name]);
        }
        return structuredClone(given[name]);
      },
      on: (_channel, listener) => listeners.add(listener),
      off: (_channel, listener) => listeners.delete(listener),
    };
    let isFocused = true;
    document.hasFocus = () => isFocused;
    window.mainSide = {
      calls,
      emit: (event) => { for (const listener of listeners) listener({}, structuredClone(event)); },
      unlockKeyring: keyring.resolve,
      setFocus: (focused) => {
        isFocused = focused;
        window.dispatchEvent(new Event(focused ? 'focus' : 'blur'));
      },
    };
    // As Electron's bridge: only what can be cloned gets across, and functions.
    const bridged = (api) => Object.fromEntries(Object.entries(api).map(([name, value]) => [
      name,
      typeof value !== 'function' ? value : (...args) => {
        structuredClone(args.filter((arg) => typeof arg !== 'function'));
        return value(...args);
      },
    ]));
    const require = (name) => {
      if (name !== 'electron') throw new Error('the sandbox has no ' + name);
      return { ipcRenderer, contextBridge: { exposeInMainWorld: (key, api) => { window[key] = bridged(api); } } };
    };
    (function (require, module, exports) { ${code}\n })(require, { exports: {} }, {});
  })();`);

  return {
    calls: async (channel) => {
      const all = await page.evaluate(() => (window as unknown as PlayedWindow).mainSide.calls);
      return all.filter((call) => call.channel === channel).map(({ args }) => args[0]);
    },
    emit: (event) =>
      page.evaluate((e) => (window as unknown as PlayedWindow).mainSide.emit(e), event),
    setFocus: (isFocused) =>
      page.evaluate((f) => (window as unknown as PlayedWindow).mainSide.setFocus(f), isFocused),
    unlockKeyring: () =>
      page.evaluate(() => (window as unknown as PlayedWindow).mainSide.unlockKeyring()),
  };
}

interface PlayedWindow {
  mainSide: {
    calls: BridgeCall[];
    emit: (event: DesktopEvent) => void;
    setFocus: (isFocused: boolean) => void;
    unlockKeyring: () => void;
  };
}

/** Waits until the newest message of a channel is as expected. */
export async function expectLast(
  main: MainSide,
  channel: string,
  expected: unknown,
): Promise<void> {
  await expect
    .poll(async () => (await main.calls(channel)).at(-1), {
      message: `last ${channel}`,
      timeout: 30_000,
    })
    .toEqual(expected);
}
