import type { Locator } from 'playwright/test';
import { chatRow, message } from './support/chat.ts';
import { openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, localeOf, createTranslator } from './support/texts.ts';

/** Returns whether the text of an element fits into its box. */
function fitsIntoBox(element: Locator): Promise<boolean> {
  return element.evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth <= clientWidth && scrollHeight <= clientHeight,
  );
}

test('the header shows a username of 20 characters in full at every width', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('en');
  for (const name of ['Wwwwwwwwwwwwwwwwwwww', 'maximilian-schneider']) {
    const page = await newPage();
    await signUpOverHttp(page, server, name);
    const greeting = page.getByText(t('app.greeting', { name }), { exact: true });
    for (const width of [320, 360, 640, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(greeting).toBeVisible();
      expect(await fitsIntoBox(greeting), `${name} at ${width} pixels`).toBe(true);
      const header = page.locator('header').first();
      expect(await fitsIntoBox(header)).toBe(true);
      const menu = page.getByRole('button', { name: t('shell.menu', { name }) });
      await expect(menu).toBeInViewport({ ratio: 1 });
    }
  }
});

test('a preview of 80 characters is not cut in wide windows', async ({ server, newPage }) => {
  const text = 'We could meet at the market at noon, walk up to the lake and have our lunch ther';
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  await sendOverHttp(alice.page, 'Bob', `${text}e.`);
  const preview = chatRow(bob.page, 'Alice').getByText(`${text}…`);
  await expect(preview).toBeVisible();
  const box = preview.locator('..');
  expect(await fitsIntoBox(box)).toBe(true);
  await bob.page.setViewportSize({ width: 1920, height: 1000 });
  expect(await fitsIntoBox(box)).toBe(true);
});

for (const [input, options] of [
  ['a mouse', {}],
  ['touch', { hasTouch: true, isMobile: true, viewport: { width: 320, height: 700 } }],
] as const) {
  test(`the buttons to edit and delete own messages are visible without hovering or tapping, with ${input}`, async ({
    server,
    newPage,
  }) => {
    const t = createTranslator('en');
    const { alice, room } = await openChatroom(newPage, server, options);
    const { page } = alice;
    await sendOverHttp(page, 'Bob', 'One more');
    await sendOverHttp(page, 'Bob', 'And a text that is long enough for several lines. '.repeat(4));
    await expect(message(page, 'several lines')).toBeVisible();
    expect(page.url()).toContain(room);
    await page.locator('h1').first().hover();
    for (const name of [t('message.edit'), t('message.delete')]) {
      const buttons = page.getByRole('button', { name, exact: true });
      await expect(buttons).toHaveCount(3);
      for (const button of await buttons.all()) {
        await expect(button).toBeInViewport({ ratio: 1 });
        await expect(button.locator('..')).toHaveCSS('opacity', '1');
        // A click in its center hits the button itself.
        const isHit = await button.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const hit = document.elementFromPoint(x + width / 2, y + height / 2);
          return element.contains(hit);
        });
        expect(isHit).toBe(true);
      }
    }
    const edit = message(page, 'One more').locator('..').getByRole('button', { name: 'Edit' });
    if ('hasTouch' in options) await edit.tap();
    else await edit.click();
    await expect(page.getByRole('textbox', { name: t('composer.label') })).toHaveValue('One more');
  });
}

for (const language of TEST_LANGUAGES) {
  test(`each screen shows a visible loading text (${language})`, async ({ server, newPage }) => {
    const t = createTranslator(language);
    const page = await newPage({ locale: localeOf(language) });
    await signUpOverHttp(page, server, 'Alice', language);
    const held = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/api/users/current', async (route) => {
      requests += 1;
      // The first request of each page precedes any screen.
      if (requests > 1) await held.promise;
      await route.continue();
    });
    for (const call of ['chatrooms/chats', 'chatrooms/chats/*', 'sessions']) {
      await page.route(`**/api/${call}`, async (route) => {
        await held.promise;
        await route.continue();
      });
    }
    const expectLoadingText = async (path: string, key: string) => {
      requests = 0;
      await page.goto(path);
      const text = page.getByText(t(key), { exact: true });
      await expect(text).toBeVisible();
      // A text for screen readers only would have a width of one pixel.
      expect((await text.boundingBox())?.width, key).toBeGreaterThan(40);
    };
    await expectLoadingText('/chatarea', 'chatList.loading');
    await expectLoadingText('/chatarea/chats/01995a3e-5efb-7a0b-8a55-2f4b8b7f9c11', 'room.loading');
    await expectLoadingText('/settings', 'settings.loading');
    await expectLoadingText('/profile', 'profile.loading');
    held.resolve();
  });
}
