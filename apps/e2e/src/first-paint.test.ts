import { endpoints } from '@parley/contract';
import type { Page } from 'playwright/test';
import { registerOverHttp } from './support/browser-user.ts';
import { chatRow, messages, textBox } from './support/chat.ts';
import { openChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Opens a path and delays every script of the application until `release` is called. */
async function openWithoutScripts(page: Page, path: string) {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return { release: () => released.resolve() };
}

test('a guest sees the brand and a skeleton of the form before any script has loaded', async ({
  newPage,
}) => {
  const page = await newPage();
  const { release } = await openWithoutScripts(page, '/');
  await expect(page.locator('.frame-brand')).toBeVisible();
  await expect(page.locator('.frame-card')).toBeVisible();
  await expect(page.locator('.frame-list')).toBeHidden();
  const top = (await page.locator('.frame-brand img').boundingBox())?.y;
  release();
  await expect(page.getByRole('button', { name: t('login.submit'), exact: true })).toBeVisible();
  await expect(page.locator('#frame')).toBeHidden();
  expect((await page.locator('main svg').first().boundingBox())?.y).toBe(top);
});

test('a user sees a skeleton of the chat list and the chatroom before any script has loaded', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;

  await test.step('the chat list and the chatroom are side by side', async () => {
    const { release } = await openWithoutScripts(page, room);
    await expect(page.locator('.frame-list')).toBeVisible();
    await expect(page.locator('.frame-composer')).toBeVisible();
    await expect(page.locator('.frame-card')).toBeHidden();
    release();
    await expect(messages(page).last()).toBeVisible();
    await expect(textBox(page)).toBeVisible();
    await expect(page.locator('#frame')).toBeHidden();
  });

  await test.step('a narrow window shows only one of the two', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const inOpenChatroom = await openWithoutScripts(page, room);
    await expect(page.locator('.frame-composer')).toBeVisible();
    await expect(page.locator('.frame-list')).toBeHidden();
    inOpenChatroom.release();
    await expect(page.locator('#frame')).toBeHidden();
    const inList = await openWithoutScripts(page, '/chatarea');
    await expect(page.locator('.frame-list')).toBeVisible();
    await expect(page.locator('.frame-composer')).toBeHidden();
    inList.release();
    await expect(page.locator('#frame')).toBeHidden();
  });
});

/**
 * Opens a path and delays the scripts of the application until all are requested that the page knows before one runs.
 * Scripts that are requested later fail. Returns the paths of the requests before that, and of all.
 */
async function openWithFirstScripts(page: Page, path: string) {
  const all: string[] = [];
  page.on('request', (request) => all.push(new URL(request.url()).pathname));
  const { release } = await openWithoutScripts(page, path);
  await expect(page.locator('#frame')).toBeVisible();
  const scripts = await page
    .locator('script[type="module"], link[rel="modulepreload"]')
    .evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? ''),
    );
  await expect.poll(() => scripts.filter((script) => !all.includes(script))).toEqual([]);
  const first = [...all];
  await page.route('**/assets/*.js', async (route) => {
    const { pathname } = new URL(route.request().url());
    await (first.includes(pathname) ? route.fallback() : route.abort());
  });
  release();
  return { first, all, scripts };
}

test('the login needs no script that the page does not request at once', async ({ newPage }) => {
  const page = await newPage();
  const { first, scripts } = await openWithFirstScripts(page, '/');
  await expect(page.getByRole('button', { name: t('login.submit'), exact: true })).toBeVisible();
  expect(scripts.length).toBeLessThanOrEqual(3);
  expect(first).toContain(endpoints.getConfig.path);
  expect(first).not.toContain(endpoints.getCurrentUser.path);
});

test('the chat list and a chatroom need no script that the page does not request at once', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;

  await test.step('the chat list, whose data is requested before the application has loaded', async () => {
    const { first, all, scripts } = await openWithFirstScripts(page, '/chatarea');
    await expect(chatRow(page, 'Bob')).toBeVisible();
    expect(scripts.length).toBeLessThanOrEqual(6);
    expect(first).toContain(endpoints.listChats.path);
    const { getConfig, getCurrentUser } = endpoints;
    for (const { path } of [getConfig, getCurrentUser]) {
      expect(first).toContain(path);
      expect(all.filter((each) => each === path)).toHaveLength(1);
    }
  });

  await test.step('a chatroom', async () => {
    await page.unrouteAll();
    await openWithFirstScripts(page, room);
    await expect(messages(page).last()).toBeVisible();
  });
});

test('a guest who returns sees the login before the server has responded, and keeps it if it does not', async ({
  server,
  newPage,
}) => {
  const { email, password } = await registerOverHttp(server, 'Alice');
  const page = await newPage();
  const submit = page.getByRole('button', { name: t('login.submit'), exact: true });
  await page.goto('/');
  await expect(submit).toBeVisible();
  const failing = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    await failing.promise;
    await route.abort();
  });
  await page.reload();
  await expect(submit).toBeVisible();
  await page.getByLabel(t('field.email'), { exact: true }).fill(email);
  await page.getByLabel(t('field.password'), { exact: true }).fill(password);
  failing.resolve();
  await submit.click();
  await expect(page.getByText(t('error.offline'))).toBeVisible();
  await page.unrouteAll();
  await submit.click();
  await expect(page.getByText(t('chatList.empty'))).toBeVisible();
});
