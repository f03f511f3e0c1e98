import type { Page } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import {
  registerOverHttp,
  sendOverHttp,
  signInOverHttp,
  submitLogin,
} from './support/browser-user.ts';
import { message, messages, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { expectFingerSize, expectNoSidewaysScroll, PHONE } from './support/phone.ts';
import { expect, proxiedTest as test } from './support/proxied-test.ts';
import { shareFromApp, waitForServiceWorker } from './support/share.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { createTranslator, TEST_LANGUAGES } from './support/texts.ts';

const t = createTranslator('en');

test.use({ serviceWorkers: 'allow' });

const target = (page: Page, name: string) =>
  page.getByRole('region', { name: t('forward.chats') }).getByRole('button', { name });
const images = (page: Page) =>
  page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
const waiting = (page: Page) => page.getByText(t('share.waiting'));
/** Returns the number of entries that wait in the browser. */
const countStored = (page: Page) =>
  page.evaluate(async () =>
    (await caches.has('parley-shared'))
      ? (await (await caches.open('parley-shared')).keys()).length
      : 0,
  );
const svgOf = (bytes: number) => Buffer.from('<svg>'.padEnd(bytes));
const picture = (index: number) => createPng(40 + index, 30, `picture ${index}.png`);

test('text, a link and images from another app are put into the draft of the chosen chat', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, PHONE);
  const { page } = alice;
  await waitForServiceWorker(page);
  await textBox(page).fill('Look:');
  await shareFromApp(page, server.url, {
    title: 'A walk',
    text: 'The way to the lake\nhttps://lake.example/way',
    url: 'https://lake.example/way',
    files: [picture(1), picture(2)],
  });
  await expect(page).toHaveURL(/\/share\?id=[0-9a-f-]{36}$/);
  const content = page.getByRole('region', { name: t('share.content') });
  const text = 'A walk\nThe way to the lake\nhttps://lake.example/way';
  await expect(content.getByText('A walk')).toHaveText(text);
  await expect(content.getByRole('listitem')).toHaveCount(2);

  await target(page, 'Bob').tap();
  await expect(page).toHaveURL((url) => url.pathname === room);
  await expect(textBox(page)).toHaveValue(`Look:\n${text}`);
  await expect(images(page)).toHaveCount(2);
  expect(await countStored(page)).toBe(0);

  await test.step('nothing is sent without a tap, and a reload loses nothing', async () => {
    await page.reload();
    await expect(textBox(page)).toHaveValue(`Look:\n${text}`);
    await expect(images(page)).toHaveCount(2);
    await expect(messages(page)).toHaveCount(1);
  });

  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).tap();
  await expect(message(bob.page, 'The way to the lake')).toBeVisible();
  await expect(
    bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) }),
  ).toHaveCount(2);
});

test('content that is shared before a login waits until the user has logged in', async ({
  server,
  newPage,
}) => {
  const page = await newPage(PHONE);
  const alice = await signInOverHttp(page, server, 'Alice');
  await registerOverHttp(server, 'Bob');
  await sendOverHttp(page, 'Bob', 'Hello Bob!');
  await page.context().clearCookies();
  await page.goto('/');
  await waitForServiceWorker(page);
  await shareFromApp(page, server.url, { text: 'Written elsewhere', files: [picture(1)] });
  await expect(page.getByRole('heading', { name: t('login.title') })).toBeVisible();
  await submitLogin(page, alice.email, alice.password);
  await expect(page).toHaveURL(/\/share\?id=/);
  await target(page, 'Bob').tap();
  await expect(textBox(page)).toHaveValue('Written elsewhere');
  await expect(images(page)).toHaveCount(1);
});

test('files that cannot be sent are named, and the others are kept @long', async ({
  server,
  newPage,
}) => {
  const { page } = (await openChatroom(newPage, server, PHONE)).alice;
  await waitForServiceWorker(page);
  const hugeBuffer = Buffer.concat([picture(0).buffer, Buffer.alloc(10 * 1024 * 1024)]);
  const huge = { ...picture(0), name: 'huge.png', buffer: hugeBuffer };
  const map = { name: 'map.svg', mimeType: 'image/svg+xml', buffer: svgOf(10 * 1024 * 1024 + 1) };
  const report = { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') };
  const empty = { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) };
  const many = Array.from({ length: 12 }, (_, index) => picture(index));
  await shareFromApp(page, server.url, { files: [huge, map, report, empty, ...many] });
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(t('share.refusedSize', { name: 'map.svg', size: 10 }));
  await expect(alert).toContainText(t('share.refusedType', { name: 'report.pdf' }));
  await expect(alert).toContainText(t('share.refusedEmpty', { name: 'empty.png' }));
  await expect(alert).toContainText(t('share.refusedCount', { name: 'picture 11.png', count: 10 }));
  await target(page, 'Bob').tap();
  await page.getByRole('button', { name: t('smallerCopy.confirm_one') }).tap();
  await expect(images(page)).toHaveCount(10);

  await test.step('a chat with unsent images refuses more than it can take, and nothing is lost', async () => {
    await shareFromApp(page, server.url, { files: [picture(1)] });
    await target(page, 'Bob').tap();
    await expect(page.getByText(t('share.chatFull', { count: 10 }))).toBeVisible();
    await expect(page).toHaveURL(/\/share/);
    expect(await countStored(page)).toBe(2);
  });

  await test.step('files of which none can be sent offer no chats', async () => {
    await shareFromApp(page, server.url, { files: [report] });
    await expect(alert).toContainText(t('share.refusedType', { name: 'report.pdf' }));
    await expect(page.getByRole('button', { name: t('share.discard') })).toBeVisible();
    await expect(target(page, 'Bob')).toHaveCount(0);
  });

  await test.step('a limited number of files with long names is listed, the others are counted', async () => {
    const reports = Array.from({ length: 30 }, (_, index) => {
      const name = `${index} ${'x'.repeat(200)} end.pdf`;
      return { ...report, name };
    });
    await shareFromApp(page, server.url, { files: reports });
    await expect(alert.getByRole('listitem')).toHaveCount(21);
    await expect(alert.getByRole('listitem').last()).toHaveText(
      t('share.refusedMore_other', { count: 10 }),
    );
    await expect(alert).toContainText(/0 x{77}…x+ end\.pdf is not an image/);
    await expectNoSidewaysScroll(page, 'files with long names');
    await page.getByRole('button', { name: t('share.discard') }).tap();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('share.discardConfirm') })
      .tap();
    await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
  });

  await test.step('a share without content and a text that is too long are explained', async () => {
    await shareFromApp(page, server.url, { text: '  ' });
    await expect(page.getByText(t('share.errorNothing'))).toBeVisible();
    await shareFromApp(page, server.url, { text: 'x'.repeat(100_001) });
    await expect(alert).toContainText(t('share.refusedText'));
  });

  await test.step('a limited number of shares waits', async () => {
    for (const text of ['Four', 'Five']) await shareFromApp(page, server.url, { text });
    await expect(page.getByText('Five', { exact: true })).toBeVisible();
    await shareFromApp(page, server.url, { text: 'Six' });
    await expect(page.getByText(t('share.errorFull'))).toBeVisible();
    // The newest of those that wait.
    await expect(page.getByText('Five', { exact: true })).toBeVisible();
  });
});

test('content without a chat waits for a day, and a banner leads back to it @long', async ({
  server,
  newPage,
}) => {
  const { page } = (await openChatroom(newPage, server, PHONE)).alice;
  await waitForServiceWorker(page);
  await shareFromApp(page, server.url, { text: 'Not yet' });
  await page.getByRole('link', { name: t('about.back') }).tap();
  await expect(waiting(page)).toBeVisible();
  await page.getByRole('button', { name: t('share.choose') }).tap();
  await expect(page.getByText('Not yet', { exact: true })).toBeVisible();

  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: t('share.discard') }).tap();
  await dialog.getByRole('button', { name: t('app.cancel') }).tap();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Not yet', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: t('share.discard') }).tap();
  await dialog.getByRole('button', { name: t('share.discardConfirm') }).tap();
  await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
  await expect(waiting(page)).toHaveCount(0);
  expect(await countStored(page)).toBe(0);

  await test.step('old content is deleted', async () => {
    await shareFromApp(page, server.url, { text: 'Old', files: [picture(1)] });
    await expect(page.getByText('Old', { exact: true })).toBeVisible();
    await page.evaluate(async () => {
      const cache = await caches.open('parley-shared');
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        if (/\/\d+$/.test(request.url) || !response) continue;
        const record = (await response.json()) as object;
        const receivedAt = Date.now() - 24 * 60 * 60 * 1_000;
        await cache.put(request, new Response(JSON.stringify({ ...record, receivedAt })));
      }
    });
    await page.reload();
    await expect(page.getByText(t('share.empty'))).toBeVisible();
    expect(await countStored(page)).toBe(0);
  });
});

test('logging out deletes shared content, and another user does not see it @long', async ({
  server,
  newPage,
}) => {
  const { page } = (await openChatroom(newPage, server, PHONE)).alice;
  await registerOverHttp(server, 'Carla');
  await waitForServiceWorker(page);
  await shareFromApp(page, server.url, { text: 'For my friend' });
  await expect(page.getByText('For my friend')).toBeVisible();

  // As many shares as may wait, so that they would keep out those of the next user.
  for (const text of ['Two', 'Three', 'Four', 'Five']) {
    await shareFromApp(page, server.url, { text });
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  expect(await countStored(page)).toBe(5);

  // The session expires, and another user logs in.
  await page.context().clearCookies();
  await page.goto('/chatarea');
  await expect(page.getByRole('heading', { name: t('login.title') })).toBeVisible();
  await submitLogin(page, 'carla@example.org', 'correct horse');
  await page.waitForURL('**/chatarea');
  await page.goto('/share');
  await expect(page.getByText(t('share.empty'))).toBeVisible();
  await expect(page.getByText('For my friend')).toHaveCount(0);
  expect(await countStored(page)).toBe(0);
  await shareFromApp(page, server.url, { text: 'From Carla' });
  await expect(page.getByText('From Carla', { exact: true })).toBeVisible();

  await page.goto('/chatarea');
  await page.getByRole('button', { name: t('frame.menu', { name: 'Carla' }) }).tap();
  await page.getByRole('menuitem', { name: t('frame.logout') }).tap();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect.poll(() => countStored(page)).toBe(0);
});

test('content can be shared to a chat without a connection @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { page } = (await openChatroom(newPage, server, PHONE)).alice;
  await waitForServiceWorker(page);
  await reverseProxy.close();
  await shareFromApp(page, server.url, { text: 'From the train', files: [picture(1)] });
  await target(page, 'Bob').tap();
  await expect(textBox(page)).toHaveValue('From the train');
  await expect(images(page)).toHaveCount(1);
});

test('content that no service worker receives is explained, even after a login @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage({ ...PHONE, serviceWorkers: 'block' });
  const alice = await signInOverHttp(page, server, 'Alice');
  const share = () => shareFromApp(page, server.url, { text: 'Too early', files: [picture(1)] });
  const explanation = page.getByRole('alert').filter({ hasText: t('share.errorMissed') });
  await share();
  await expect(explanation).toBeVisible();
  await page.context().clearCookies();
  await share();
  await submitLogin(page, alice.email, alice.password);
  await expect(explanation).toBeVisible();
});

for (const language of TEST_LANGUAGES) {
  test(`the screen for shared content is accessible and fits on phones (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const localized = createTranslator(language);
    const options = { ...PHONE } as const;
    const { page } = (await openChatroom(newPage, server, { ...options, language })).alice;
    await waitForServiceWorker(page);
    const report = {
      name: 'report.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-'),
    };
    await shareFromApp(page, server.url, {
      text: 'long'.repeat(80),
      files: [picture(1), report],
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(localized('share.title'));
    const button = page.getByRole('button', { name: localized('share.discard') });
    for (const control of [
      button,
      page.getByRole('searchbox'),
      page.locator('[data-share-target]'),
    ]) {
      await expectFingerSize(control);
    }
    await expectNoViolationsInAllLooks(page);
    await expectNoSidewaysScroll(page, 'shared content');
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
  });
}
