import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findExecutable, findFreePort } from '@parley/testing';
import {
  Builder,
  By,
  Capabilities,
  Key,
  type WebDriver,
  type WebElement,
} from 'selenium-webdriver';
import {
  findInPage,
  type Engine,
  type EnginePage,
  type EngineSupport,
  type ElementTarget,
} from './engine-page.ts';

const KEYS = {
  Enter: Key.ENTER,
  Tab: Key.TAB,
  Escape: Key.ESCAPE,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
} as const;

const START_TIMEOUT_MS = 30_000;

/** WebKitGTK, the engine closest to Safari that runs on Linux, over W3C WebDriver. */
export const webkit: EngineSupport = {
  name: 'WebKitGTK',
  missing() {
    const { driver, browser, xvfb } = findPrograms();
    if (driver === undefined || browser === undefined) {
      return 'WebKitGTK is not installed (Debian: webkit2gtk-driver)';
    }
    if (xvfb === undefined) return 'Xvfb is not installed (Debian: xvfb)';
    // Recording needs these plugins, which Debian's package only recommends.
    return ['libgstlibav.so', 'libgsttranscode.so'].every(hasPlugin)
      ? undefined
      : 'WebKitGTK has no codecs (Debian: gstreamer1.0-libav, gstreamer1.0-plugins-bad)';
  },
  launch,
};

function findPrograms() {
  return {
    driver: findExecutable(process.env, 'PARLEY_WEBKIT_DRIVER', ['WebKitWebDriver']),
    xvfb: findExecutable(process.env, 'PARLEY_XVFB', ['Xvfb']),
    browser: globSync('/usr/{lib,libexec}/{*/,}webkit2gtk-4.*/MiniBrowser')[0],
  };
}

function hasPlugin(file: string): boolean {
  return globSync(`/usr/{lib,lib64}/{*/,}gstreamer-1.0/${file}`).length > 0;
}

async function launch(): Promise<Engine> {
  const { driver, browser, xvfb } = findPrograms();
  if (driver === undefined || browser === undefined || xvfb === undefined) {
    throw new Error(webkit.missing());
  }
  const screen = await startScreen(xvfb);
  const drivers: { process: ChildProcess; session: WebDriver }[] = [];
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {
      binary: browser,
      args: ['--automation', '--enable-media-stream=true', '--enable-mock-capture-devices=true'],
    },
  });

  return {
    name: webkit.name,
    async open() {
      // One driver serves one session, and each session has its own storage.
      const port = await findFreePort();
      const process_ = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
        env: {
          ...process.env,
          DISPLAY: screen.display,
          LANG: 'en_US.UTF-8',
          LIBGL_ALWAYS_SOFTWARE: '1',
          // A container has no user namespaces for the sandbox.
          WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        },
        stdio: 'ignore',
      });
      const url = `http://127.0.0.1:${port}`;
      await waitUntilReady(url);
      const session = await new Builder()
        .disableEnvironmentOverrides()
        .usingServer(url)
        .withCapabilities(capabilities)
        .build();
      drivers.push({ process: process_, session });
      await session.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 });
      await session.manage().setTimeouts({ script: 60_000 });
      return createEnginePage(session);
    },
    async close() {
      for (const { session, process: process_ } of drivers) {
        await session.quit().catch(() => undefined);
        process_.kill();
      }
      screen.process.kill();
    },
  };
}

/** Starts an X server on a free display that it chooses itself. */
async function startScreen(command: string): Promise<{ display: string; process: ChildProcess }> {
  const process_ = spawn(
    command,
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const [number] = (await once(process_.stdio[3] as Readable, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, process: process_ };
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/status`).catch(() => undefined);
    if (response?.ok === true) return;
    await sleep(50);
  }
  throw new Error(`WebKitWebDriver did not respond within ${START_TIMEOUT_MS / 1_000} seconds`);
}

function createEnginePage(session: WebDriver): EnginePage {
  const find = async (target: ElementTarget): Promise<WebElement> => {
    const element = await session.executeScript<WebElement | null>(findInPage, target);
    if (element === null) throw new Error(`no visible ${JSON.stringify(target)}`);
    return element;
  };
  return {
    errors: [],
    goto: (url) => session.get(url),
    evaluate: (run, argument) =>
      session
        .executeAsyncScript(
          `const [argument, done] = arguments;
         Promise.resolve((${run.toString()})(argument)).then(
           (value) => done({ value }), (error) => done({ error: String(error) }));`,
          argument,
        )
        .then((result) => {
          const { value, error } = result as { value?: never; error?: string };
          if (error !== undefined) throw new Error(error);
          return value as never;
        }),
    isVisible: async (target) =>
      (await session.executeScript<WebElement | null>(findInPage, target)) !== null,
    click: async (target) => (await find(target)).click(),
    screenshot: async () => Buffer.from(await session.takeScreenshot(), 'base64'),
    type: (text) => session.actions().sendKeys(text).perform(),
    press: (key) => session.actions().sendKeys(KEYS[key]).perform(),
    chooseFile: async (selector, path) =>
      (await session.findElement(By.css(selector))).sendKeys(path),
  };
}
