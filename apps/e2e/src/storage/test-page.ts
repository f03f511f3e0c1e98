import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import { build, type Rolldown } from 'vite';

const bundles = new Map<string, Promise<string>>();

/** Bundles a module of this folder as a script for a page. */
async function bundle(module: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'chrome123',
      lib: { entry: join(import.meta.dirname, module), formats: ['es'] },
    },
  });
  const [output] = result as Rolldown.RolldownOutput[];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error(`nothing was built from ${module}`);
  return chunk.code;
}

/** Opens an empty page that runs only a module of this folder, at an origin without a server. */
export async function openTestPage(
  context: BrowserContext,
  module: string,
  origin = 'https://storage.test',
): Promise<Page> {
  const script = bundles.get(module) ?? bundle(module);
  bundles.set(module, script);
  const code = await script;
  const page = await context.newPage();
  await page.route(`${origin}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: code })
      : route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><script type="module" src="/page.js"></script>',
        }),
  );
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => 'testApi' in window);
  return page;
}
