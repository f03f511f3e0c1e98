import type { DesktopEvent, DesktopStart, NotificationOutcome } from '@parley/contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';

const PRELOAD = join(import.meta.dirname, '../../../../desktop/out/preload/server.cjs');

/** The responses of the fake main process. */
export interface MainResponses {
  /** Null if the main process refuses the page. */
  start?: Partial<DesktopStart> | null;
  notify?: NotificationOutcome;
  /** Whether the system is in do-not-disturb mode. */
  isDoNotDisturb?: boolean;
  /** Byte that fills the storage key. Null for a system without a keyring. */
  storageKey?: number | null;
  /** Whether the storage key is available only after `unlockKeyring`. */
  isKeyringLocked?: boolean;
}

/** A message of the page to the main process. */
export interface BridgeCall {
  channel: string;
  args: unknown[];
}

/** The fake main process behind a page's bridge. */
export interface FakeMain {
  /** Returns the first argument of every message of a channel. */
  calls: (channel: string) => Promise<unknown[]>;
  /** Sends an event to the page. */
  emit: (event: DesktopEvent) => Promise<void>;
  /** Sets whether the window has the focus. */
  setFocus: (isFocused: boolean) => Promise<void>;
  unlockKeyring: () => Promise<void>;
}

/** The default initial values of the bridge. */
const DEFAULT_START: DesktopStart = {
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
 * Runs the built preload in a page before its own scripts, as Electron does, with a fake main process. Every
 * payload is cloned with `structuredClone`, as in a real channel.
 */
export async function withBridge(page: Page, responses: MainResponses = {}): Promise<FakeMain> {
  const code = readFileSync(PRELOAD, 'utf8');
  const values = {
    start: responses.start === null ? null : { ...DEFAULT_START, ...responses.start },
    notify: responses.notify ?? 'shown',
    'is-do-not-disturb': responses.isDoNotDisturb ?? false,
    'test-notification': 'shown',
    'get-microphone-state': 'available',
    'storage-key': responses.storageKey === undefined ? 7 : responses.storageKey,
  };
  await page.addInitScript(`(() => {
    const values = ${JSON.stringify(values)};
    const calls = [];
    const listeners = new Set();
    const keyring = Promise.withResolvers();
    if (!${responses.isKeyringLocked === true}) keyring.resolve();
    const record = (channel, args) => {
      const name = channel.replace('parley:', '');
      calls.push({ channel: name, args: structuredClone(args) });
      return name;
    };
    const ipcRenderer = {
      sendSync: (channel) => structuredClone(values[channel.replace('parley:', '')] ?? null),
      send: (channel, ...args) => void record(channel, args),
      invoke: async (channel, ...args) => {
        const name = record(channel, args);
        if (name === 'set-preferences') {
          values.start.preferences = { ...values.start.preferences, ...args[0] };
          return structuredClone(values.start.preferences);
        }
        if (name === 'storage-key') {
          await keyring.promise;
          return values[name] === null ? null : new Uint8Array(32).fill(values[name]);
        }
        return structuredClone(values[name]);
      },
      on: (_channel, listener) => listeners.add(listener),
      off: (_channel, listener) => listeners.delete(listener),
    };
    let isFocused = true;
    document.hasFocus = () => isFocused;
    window.fakeMain = {
      calls,
      emit: (event) => { for (const listener of listeners) listener({}, structuredClone(event)); },
      unlockKeyring: keyring.resolve,
      setFocus: (focused) => {
        isFocused = focused;
        window.dispatchEvent(new Event(focused ? 'focus' : 'blur'));
      },
    };
    // Like Electron's bridge, passes only functions and values that can be cloned.
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
      const all = await page.evaluate(
        () => (window as unknown as WindowWithFakeMain).fakeMain.calls,
      );
      return all.filter((call) => call.channel === channel).map(({ args }) => args[0]);
    },
    emit: (event) =>
      page.evaluate((e) => (window as unknown as WindowWithFakeMain).fakeMain.emit(e), event),
    setFocus: (isFocused) =>
      page.evaluate(
        (f) => (window as unknown as WindowWithFakeMain).fakeMain.setFocus(f),
        isFocused,
      ),
    unlockKeyring: () =>
      page.evaluate(() => (window as unknown as WindowWithFakeMain).fakeMain.unlockKeyring()),
  };
}

interface WindowWithFakeMain {
  fakeMain: {
    calls: BridgeCall[];
    emit: (event: DesktopEvent) => void;
    setFocus: (isFocused: boolean) => void;
    unlockKeyring: () => void;
  };
}

/** Waits until the last message of a channel has the expected argument. */
export async function expectLast(
  main: FakeMain,
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
