import type { Page } from 'playwright/test';
import { signInOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES } from './support/texts.ts';

const t = createTranslator('en');
const PNG_SIGNATURE = '89504e470d0a1a0a';

interface Manifest {
  name: string;
  short_name: string;
  start_url: string;
  scope: string;
  display: string;
  background_color: string;
  theme_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  id: string;
  lang: string;
  dir: string;
  orientation: string;
  shortcuts: { name: string; url: string }[];
  screenshots: { src: string; sizes: string; form_factor: string; label: string }[];
  share_target: {
    action: string;
    method: string;
    enctype: string;
    params: { files: { name: string; accept: string[] }[] };
  };
}

test('the app can be installed: manifest, icons and colors', async ({ newPage }) => {
  const page = await newPage();
  await page.goto('/');
  const pngSize = async (path: string) => {
    const response = await page.request.get(path);
    expect(response.status(), path).toBe(200);
    expect(response.headers()['content-type'], path).toBe('image/png');
    const bytes = await response.body();
    expect(bytes.subarray(0, 8).toString('hex'), path).toBe(PNG_SIGNATURE);
    return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
  };
  const linked = async (rel: string) => {
    const href = await page.locator(`link[rel="${rel}"]`).first().getAttribute('href');
    return href ?? '';
  };

  const response = await page.request.get(await linked('manifest'));
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toMatch(/^application\/manifest\+json/);
  const manifest = (await response.json()) as Manifest;
  expect(manifest).toMatchObject({ name: 'Parley', short_name: 'Parley', display: 'standalone' });
  expect(new URL(manifest.start_url, page.url()).pathname).toBe('/chatarea');
  expect(manifest.scope).toBe('/');
  expect(manifest.background_color).toMatch(/^#[0-9a-f]{6}$/);
  expect(manifest.theme_color).toMatch(/^#[0-9a-f]{6}$/);
  const icons = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  expect(icons).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
  for (const { src, sizes } of manifest.icons) expect(await pngSize(src), src).toBe(sizes);

  expect(await pngSize(await linked('apple-touch-icon'))).toBe('180x180');
  const favicon = await page.request.get(await linked('icon'));
  expect(favicon.headers()['content-type']).toMatch(/^image\/svg\+xml/);
  const colors = page.locator('meta[name="theme-color"]');
  for (const scheme of ['light', 'dark']) {
    const color = colors.and(page.locator(`[media*="${scheme}"]`));
    await expect(color).toHaveAttribute('content', /^#[0-9a-f]{6}$/);
  }
});

for (const language of TEST_LANGUAGES) {
  test(`the manifest has shortcuts, screenshots and a share target (${language})`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language) });
    await signUpOverHttp(page, server, 'Alice', language);
    const href = await page.locator('link[rel="manifest"]').getAttribute('href');
    const response = await page.request.get(href ?? '');
    expect(response.headers()['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = (await response.json()) as Manifest;
    // The same id in all languages makes them one app.
    expect(manifest).toMatchObject({ id: '/', lang: language, dir: 'ltr', orientation: 'any' });

    for (const { name, url } of manifest.shortcuts) {
      await page.goto(url);
      expect(name).not.toBe('');
      await expect(page).toHaveURL((opened) => opened.pathname === url);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    }

    const sizes = await page.evaluate(
      async (sources) =>
        Promise.all(
          sources.map(async (src) => {
            const image = new Image();
            image.src = src;
            await image.decode();
            return `${image.naturalWidth}x${image.naturalHeight}`;
          }),
        ),
      manifest.screenshots.map(({ src }) => src),
    );
    expect(sizes).toEqual(manifest.screenshots.map((screenshot) => screenshot.sizes));
    const factors = manifest.screenshots.map(({ form_factor }) => form_factor);
    expect(factors).toEqual(expect.arrayContaining(['narrow', 'wide']));

    expect(manifest.share_target).toMatchObject({
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files' }] },
    });
    expect(manifest.share_target.params.files[0]?.accept).toContain('image/jpeg');
  });
}

test('the chosen theme applies in every tab, and before the first paint of a reload', async ({
  server,
  newPage,
}) => {
  const page = await newPage({ colorScheme: 'light' });
  await signInOverHttp(page, server, 'Alice');
  await page.goto('/settings');
  const other = await page.context().newPage();
  await other.goto('/profile');
  const tabs = [page, other];
  const backgroundColor = (tab: Page) =>
    tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  // The theme colors of the browser: one for each color scheme of the system, or the chosen one for both.
  const countThemeColors = (tab: Page) =>
    tab
      .locator('meta[name="theme-color"]')
      .evaluateAll((metas) => new Set(metas.map((meta) => meta.getAttribute('content'))).size);
  const light = await backgroundColor(page);
  for (const tab of tabs) expect(await countThemeColors(tab)).toBe(2);

  const dark = page.getByRole('radio', { name: t('settings.themeDark') });
  await dark.click();
  for (const tab of tabs) {
    await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(await countThemeColors(tab)).toBe(1);
    expect(await backgroundColor(tab)).not.toBe(light);
  }
  const chosen = await backgroundColor(page);
  await page.reload();
  await expect(dark).toBeChecked();
  expect(await backgroundColor(page)).toBe(chosen);

  await test.step('without the scripts of the application', async () => {
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await expect(page.locator('#app')).toBeEmpty();
    expect(await backgroundColor(page)).toBe(chosen);
    await page.unroute('**/assets/*.js');
  });

  await test.step('the theme of the system applies again', async () => {
    await page.reload();
    await page.getByRole('radio', { name: t('settings.themeSystem') }).click();
    for (const tab of tabs) {
      await expect(tab.locator('html')).not.toHaveAttribute('data-theme');
      expect(await countThemeColors(tab)).toBe(2);
      expect(await backgroundColor(tab)).toBe(light);
    }
  });
});

test('pinching does not zoom, and the zoom of the browser still works @long', async ({
  newPage,
}) => {
  const page = await newPage({ hasTouch: true });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('login.title'));
  const scale = () => page.evaluate(() => visualViewport?.scale);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.synthesizePinchGesture', {
    x: 400,
    y: 400,
    scaleFactor: 2,
    gestureSourceType: 'touch',
  });
  expect(await scale()).toBe(1);
  await expect(page.locator('meta[name="viewport"]')).not.toHaveAttribute(
    'content',
    /user-scalable|maximum-scale/,
  );

  const isNotPrevented = await page.evaluate(() => {
    const init = { bubbles: true, cancelable: true, ctrlKey: true };
    const send = (event: Event) => document.body.dispatchEvent(event);
    const wheel = (deltaY: number) => send(new WheelEvent('wheel', { ...init, deltaY }));
    const key = (name: string) => send(new KeyboardEvent('keydown', { ...init, key: name }));
    return {
      trackpad: wheel(-3.25),
      trackpadOfWholePixels: wheel(-4),
      mouse: key('Control') && wheel(-120),
      safari: send(new Event('gesturestart', init)),
      keys: ['+', '=', '-', '0'].map(key),
    };
  });
  expect(isNotPrevented).toEqual({
    trackpad: false,
    trackpadOfWholePixels: false,
    mouse: true,
    safari: false,
    keys: [true, true, true, true],
  });
});
