import { expect, type Page } from 'playwright/test';
import type { TestFile } from './files.ts';

/** What another app shares. */
interface Share {
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
  readonly files?: readonly TestFile[];
}

/** Waits until the service worker can receive shared content. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), { timeout: 60_000 })
    .toBe('activated');
}

/** Posts content to the app as the system does when the user shares it from another app. */
export async function shareFromApp(page: Page, origin: string, share: Share): Promise<void> {
  const { files = [], ...texts } = share;
  await page.goto('about:blank');
  const inputs = Object.entries(texts).map(([name]) => `<textarea name="${name}"></textarea>`);
  await page.setContent(
    `<form method="post" action="${origin}/share" enctype="multipart/form-data">
      ${inputs.join('')}<input type="file" name="files" multiple /><button>Share</button></form>`,
  );
  for (const [name, text] of Object.entries(texts)) {
    await page.locator(`[name="${name}"]`).fill(text);
  }
  await page.locator('input').setInputFiles([...files]);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.waitForURL((url) => url.origin === origin);
}
