import { expectNoViolations, expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { createPng, createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, TEST_LANGUAGES } from './support/texts.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the gallery shows images, recordings and links, and leads to their messages (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;
    const tab = (name: string) => page.getByRole('tab', { name: t(`gallery.${name}`) });
    const tiles = page.locator('[data-image]');
    const showInChat = page.getByRole('link', { name: t('gallery.showInChat'), exact: true });
    const openGallery = async () => {
      await page.getByRole('button', { name: t('room.menu'), exact: true }).click();
      await page.getByRole('menuitem', { name: t('gallery.title'), exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('gallery.title'));
    };

    await test.step('it says that there is nothing yet, and shows what arrives', async () => {
      await openGallery();
      for (const [name, text] of [
        ['links', 'gallery.noLinks'],
        ['recordings', 'gallery.noRecordings'],
        ['images', 'gallery.noImages'],
      ] as const) {
        await tab(name).click();
        await expect(page.getByText(t(text), { exact: true })).toBeVisible();
      }
      await expectNoViolations(page);
      await sendFile(bob.page, room, 'image', createPng(300, 200));
      await expect(tiles).toHaveCount(1);
      await expect(page.getByText(t('gallery.noImages'), { exact: true })).toHaveCount(0);
    });

    await sendFile(page, room, 'image', createPng(200, 300));
    await sendFile(bob.page, room, 'audio', createWav(2));
    await sendOverHttp(bob.page, 'Alice', 'See https://www.example.org/ships, please');
    for (let i = 1; i <= 80; i += 1) await sendOverHttp(bob.page, 'Alice', `number ${i}.`);
    await page.request.post(`/api/chatrooms/chats/${room.split('/').at(-1)}/mark-as-read`);

    await test.step('images open in the lightbox, newest first', async () => {
      await expect(tiles).toHaveCount(2);
      const month = await page.evaluate(
        (locale) => new Date().toLocaleDateString(locale, { month: 'long', year: 'numeric' }),
        language === 'de' ? 'de-DE' : 'en-GB',
      );
      await expect(page.getByRole('heading', { level: 2, name: month })).toBeVisible();
      await expectNoViolationsInAllLooks(page);
      await tiles.first().focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(t('lightbox.place', { current: 2, total: 2 }))).toBeVisible();
      await page.keyboard.press('ArrowLeft');
      await expect(dialog.getByText(t('lightbox.place', { current: 1, total: 2 }))).toBeVisible();
      await expectNoViolations(page);
      await dialog.getByRole('button', { name: t('lightbox.close'), exact: true }).press('Enter');
      await expect(dialog).toHaveCount(0);
      await expect(tiles.last()).toBeFocused();
    });

    await test.step('the message of an image is shown in the chat', async () => {
      await tiles.last().click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('gallery.showInChat'), exact: true })
        .click();
      await expect(page).toHaveURL((url) => url.pathname === room);
      const row = page.getByRole('article').filter({ has: page.locator('[data-image]') });
      await expect(row.first()).toBeFocused();
      await expect(row.first()).toBeInViewport();
      await page.goBack();
      await expect(tiles).toHaveCount(2);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('recordings play and lead to their messages', async () => {
      await tab('recordings').click();
      const player = page.getByRole('group', { name: t('audio.partner', { name: 'Bob' }) });
      await expect(player).toHaveCount(1);
      await player.getByRole('button', { name: t('audio.play'), exact: true }).click();
      await expect(
        player.getByRole('button', { name: t('audio.pause'), exact: true }),
      ).toBeVisible();
      await expectNoViolations(page);
      await showInChat.click();
      await expect(
        page.getByRole('article').filter({ has: page.getByRole('slider') }),
      ).toBeFocused();
      await page.goBack();
      await expect(tab('recordings')).toHaveAttribute('aria-selected', 'true');
    });

    await test.step('links show their host and text, open safely and lead to their messages', async () => {
      await tab('links').focus();
      await page.keyboard.press('Enter');
      const link = page.getByRole('main').getByRole('link', { name: /example\.org/ });
      await expect(link).toHaveAttribute('href', 'https://www.example.org/ships');
      await expect(link).toHaveAttribute('target', '_blank');
      await expect(link).toHaveAttribute('rel', /noopener/);
      await expect(link).toContainText('See https://www.example.org/ships, please');
      await expectNoViolations(page);
      await showInChat.focus();
      await page.keyboard.press('Enter');
      const row = page.getByRole('article').filter({ hasText: 'example.org' });
      await expect(row).toBeFocused();
      await page.goBack();
      await page.getByRole('link', { name: t('gallery.back'), exact: true }).click();
      await expect(page).toHaveURL((url) => url.pathname === room);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bob');
    });
  });
}

const t = createTranslator('en');

test('the gallery loads more on scrolling, on a phone and without what was deleted @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, {
    ...PHONE,
    bobOpens: 'nothing',
  });
  const { page } = alice;
  for (let i = 1; i <= 150; i += 1) {
    await sendOverHttp(bob.page, 'Alice', `Page https://host-${i}.example/`);
  }
  await page.goto(`${room}/media?kind=link`);
  const links = page.getByRole('link', { name: /host-\d+\.example/ });
  await expect(links.first()).toContainText('host-150.example');
  const loaded = await links.count();
  expect(loaded).toBeLessThan(150);
  await links.nth(loaded - 1).scrollIntoViewIfNeeded();
  await expect.poll(() => links.count()).toBeGreaterThan(loaded);
  const countAtEnd = async (): Promise<number> => {
    await links.last().scrollIntoViewIfNeeded();
    return links.count();
  };
  await expect.poll(countAtEnd).toBe(150);
  await expect(links.last()).toContainText('host-1.example');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  for (const tab of await page.getByRole('tab').all()) {
    const lines = await tab.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
    });
    expect(lines).toBe(1);
  }

  const body = await bob.page.request.get(`/api/chatrooms/chats/${room.split('/').at(-1)}`);
  const { chatroomMessages } = (await body.json()) as { chatroomMessages: { _id: string }[] };
  const messageId = chatroomMessages.at(-1)?._id;
  await bob.page.request.delete('/api/messages/delete', { data: { messageId } });
  await expect(links).toHaveCount(149);
  await expect(links.first()).toContainText('host-149.example');
});

test('offline, the gallery shows what is on the device and says so @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const { page } = alice;
  await sendOverHttp(bob.page, 'Alice', 'See https://example.org/');
  await goToChatroom(page, room);
  await page.getByRole('button', { name: t('room.menu'), exact: true }).click();
  await page.getByRole('menuitem', { name: t('gallery.title'), exact: true }).click();
  await expect(page.getByText(t('gallery.noImages'), { exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('tab', { name: t('gallery.links') }).click();
  await expect(page.getByText(t('gallery.offline'))).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /example\.org/ })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(t('gallery.offline'))).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('link', { name: /example\.org/ })).toBeVisible();
});

test('a message request has no gallery @long', async ({ server, newPage }) => {
  const [alice, eve] = await Promise.all([
    signInOverHttp(await newPage(), server, 'Alice'),
    signInOverHttp(await newPage(), server, 'Eve'),
  ]);
  const { page } = alice;
  const id = await sendOverHttp(eve.page, 'Alice', 'https://example.org', { isRequest: true });
  await page.goto(`/chatarea/chats/${id}/media`);
  await expect(page).toHaveURL((url) => url.pathname === `/chatarea/chats/${id}`);
  await page.getByRole('button', { name: t('room.menu'), exact: true }).click();
  await expect(page.getByRole('menuitem', { name: t('calendar.open') })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: t('gallery.title') })).toHaveCount(0);
});
