import { findExecutable } from '@parley/testing';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import {
  findInPage,
  type Engine,
  type EnginePage,
  type EngineSupport,
  type ElementTarget,
} from './engine-page.ts';

/** Firefox over WebDriver BiDi. */
export const firefox: EngineSupport = {
  name: 'Firefox',
  missing: () =>
    findFirefox() === undefined
      ? 'Firefox is not installed (Debian: firefox-esr; or name it in PARLEY_FIREFOX)'
      : undefined,
  launch,
};

function findFirefox(): string | undefined {
  return findExecutable(process.env, 'PARLEY_FIREFOX', ['firefox-esr', 'firefox']);
}

/** Message of the uncaught error that Firefox reports for an unreachable server. */
const CONNECTION_FAILED = /establish a connection to the server|connection to .* was interrupted/;

async function launch(): Promise<Engine> {
  const browsers: Browser[] = [];
  return {
    name: firefox.name,
    async open() {
      // Each page has its own browser, as a background tab of a shared one would not be laid out or drawn.
      const browser = await puppeteer.launch({
        browser: 'firefox',
        executablePath: findFirefox() ?? '',
        headless: true,
        defaultViewport: { width: 1280, height: 900 },
        extraPrefsFirefox: {
          'intl.accept_languages': 'en-US',
          'media.navigator.permission.disabled': true,
          'media.navigator.streams.fake': true,
          // Without a screen, Firefox reports no pointer. 6 means a mouse (fine, can hover).
          'ui.allPointerCapabilities': 6,
          'ui.primaryPointerCapabilities': 6,
        },
      });
      browsers.push(browser);
      const [page] = await browser.pages();
      return createEnginePage(page ?? (await browser.newPage()));
    },
    async close() {
      for (const browser of browsers) await browser.close();
    },
  };
}

function createEnginePage(page: Page): EnginePage {
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (!CONNECTION_FAILED.test(text)) errors.push(text);
  });
  const find = async (target: ElementTarget): Promise<ElementHandle> => {
    const handle = await page.evaluateHandle(findInPage, target);
    const element = handle.asElement();
    if (element === null) throw new Error(`no visible ${JSON.stringify(target)}`);
    return element as ElementHandle;
  };
  return {
    errors,
    goto: async (url) => void (await page.goto(url)),
    // Puppeteer's types do not carry the generic argument through.
    evaluate: (run, argument) => page.evaluate(run as never, argument as never),
    isVisible: async (target) =>
      (await page.evaluateHandle(findInPage, target)).asElement() !== null,
    click: async (target) => (await find(target)).click(),
    screenshot: async () => Buffer.from(await page.screenshot()),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    async chooseFile(selector, path) {
      const input = await page.$(selector);
      if (input === null) throw new Error(`no ${selector}`);
      await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
    },
  };
}
