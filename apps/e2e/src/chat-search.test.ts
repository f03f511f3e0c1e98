import type { Locator, Page } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { chatroomIdOf, message } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES } from './support/texts.ts';

const field = (page: Page): Locator => page.getByRole('searchbox');
const results = (page: Page): Locator => page.locator('[data-result]');
const found = (page: Page, text: string): Locator => results(page).filter({ hasText: text });

/** Returns the id of the page's user's message with a text in the open chatroom. */
async function findMessageId(page: Page, chatroom: string, text: string): Promise<string> {
  const response = await page.request.get(`/api/chatrooms/chats/${chatroom}?limit=200`);
  const { chatroomMessages } = (await response.json()) as {
    chatroomMessages: { _id: string; content: string }[];
  };
  return chatroomMessages.find(({ content }) => content === text)?._id ?? '';
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the chat list finds chats and messages, and opens one far up (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
      reducedMotion: 'reduce',
    });
    const { page } = alice;
    const chatroom = chatroomIdOf(page);
    const sendAsBob = async (content: string): Promise<void> => {
      const data = { chatroom, content };
      expect((await bob.page.request.post('/api/messages/send', { data })).status()).toBe(201);
    };
    await sendAsBob('Wir nehmen die Donaudampfschifffahrt nach Köln.');
    await sendOverHttp(page, 'Bob', 'Treffen in der Hauptstraße');
    await sendAsBob('Ein Raumschiff!');
    await sendFile(page, chatroom, 'image', createPng(60, 40));
    await sendAsBob('See https://parley.example/page');
    for (let i = 1; i <= 90; i += 1) await sendOverHttp(page, 'Bob', `number ${i}.`);
    await registerOverHttp(server, 'Schiffer', language);
    await sendOverHttp(page, 'Schiffer', 'Hello!');

    await test.step('chats are found at once, messages from three letters on', async () => {
      await field(page).fill('sc');
      await expect(results(page)).toHaveText(['Schiffer']);
      await expect(page.getByText(t('search.tooShort_other', { count: 3 }))).toBeVisible();
      await field(page).fill('SCHIFF');
      await expect(results(page)).toHaveCount(3);
      await expect(results(page).nth(0)).toHaveText('Schiffer');
      await expect(results(page).nth(1)).toContainText('Ein Raumschiff!');
      await expect(results(page).nth(2)).toContainText('Donaudampfschifffahrt');
      await expect(results(page).locator('mark')).toHaveText(['schiff', 'schiff']);
      await expect(results(page).nth(1).locator('time')).toBeVisible();
      await expect(results(page).nth(1)).toContainText(t('search.from', { name: 'Bob' }));
      const announced = `${t('search.foundChats_one', { count: 1 })} ${t('search.foundMessages_other', { count: 2 })}`;
      await expect(page.locator('output').filter({ hasText: announced })).toHaveCount(1);
      await expectNoViolationsInAllLooks(page);
    });

    await test.step('umlauts are found by other spellings', async () => {
      for (const [query, text] of [
        ['koeln', 'Köln'],
        ['KOLN', 'Köln'],
        ['hauptstrasse', 'Hauptstraße'],
      ] as const) {
        await field(page).fill(query);
        await expect(results(page).locator('mark')).toHaveText([text]);
      }
      await expect(results(page)).toContainText(t('chatList.you'));
    });

    await test.step('results follow what the partner edits and deletes', async () => {
      await field(page).fill('raumschiff');
      await expect(results(page)).toHaveCount(1);
      const messageId = await findMessageId(bob.page, chatroom, 'Ein Raumschiff!');
      const edit = (content: string) =>
        bob.page.request.patch('/api/messages/edit', { data: { messageId, content } });
      await edit('Zwei Raumschiffe');
      await expect(found(page, 'Zwei Raumschiffe')).toHaveCount(1);
      await bob.page.request.delete('/api/messages/delete', { data: { messageId } });
      await expect(results(page)).toHaveCount(0);
      await expect(page.getByText(t('search.none'), { exact: true }).first()).toBeVisible();
      await expectNoViolationsInAllLooks(page);
    });

    await test.step('filters narrow the results down', async () => {
      const chip = (key: string): Locator =>
        page.getByRole('button', { name: t(`search.${key}`), exact: true });
      await field(page).fill('');
      await chip('images').click();
      await expect(results(page)).toHaveCount(1);
      await expect(results(page)).toContainText(t('search.image'));
      await chip('links').click();
      await expect(chip('images')).toHaveAttribute('aria-pressed', 'false');
      await expect(results(page)).toContainText(['https://parley.example/page']);
      await chip('fromMe').click();
      await expect(results(page)).toHaveCount(0);
      await expect(page.getByText(t('search.noneFiltered'))).toBeVisible();
      await chip('fromPartner').click();
      await expect(results(page)).toHaveCount(1);
      await chip('since').click();
      await expect(page.getByRole('dialog', { name: t('search.sinceTitle') })).toBeVisible();
      // The focus is on today.
      await page.keyboard.press('Enter');
      await expect(results(page)).toHaveCount(1);
      await chip('before').click();
      await page.keyboard.press('Enter');
      await expect(results(page)).toHaveCount(0);
      await expectNoViolationsInAllLooks(page);
      await page.getByRole('button', { name: t('search.removeFilters') }).click();
      await expect(page.locator('[data-chat]')).toHaveCount(2);
    });

    await test.step('the keyboard moves through the results and opens a message far up', async () => {
      await field(page).fill('donau');
      await expect(results(page)).toHaveCount(1);
      await field(page).press('ArrowDown');
      await expect(results(page).first()).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(field(page)).toBeFocused();
      await field(page).fill('schiff');
      await expect(results(page)).toHaveCount(2);
      await field(page).press('Enter');
      await expect(results(page).first()).toBeFocused();
      await page.keyboard.press('End');
      await expect(found(page, 'Donau')).toBeFocused();
      await page.keyboard.press('Enter');
      const row = page.getByRole('article').filter({ has: message(page, 'Donaudampfschifffahrt') });
      await expect(row).toBeFocused();
      await expect(row).toBeInViewport();
      await expect(message(page, 'number 90.')).toHaveCount(0);
      await expect(results(page)).toHaveCount(2);
    });

    await test.step('the filters disappear when the search is cleared, until the next click', async () => {
      await page.getByRole('button', { name: t('search.clear') }).click();
      await expect(field(page)).toBeFocused();
      await expect(field(page)).toHaveValue('');
      await expect(page.locator('[data-chat]').first()).toBeVisible();
      await expect(page.getByRole('group', { name: t('search.filters') })).toHaveCount(0);
      await field(page).click();
      await expect(page.getByRole('group', { name: t('search.filters') })).toBeVisible();
      await field(page).fill('schiff');
      await expect(results(page)).toHaveCount(2);
    });

    await test.step('Escape clears the field and then leaves it', async () => {
      await found(page, 'Donau').focus();
      await page.keyboard.press('Escape');
      await expect(field(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(field(page)).toHaveValue('');
      await expect(page.locator('[data-chat]').first()).toBeVisible();
      await expect(page.getByRole('group', { name: t('search.filters') })).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-chat]:focus')).toHaveCount(1);
    });

    await test.step('the switcher finds messages, too', async () => {
      await page.keyboard.press('Control+k');
      const switcher = page.getByRole('combobox', { name: t('switcher.title') });
      await switcher.fill('donau');
      const option = page.getByRole('option', { selected: true });
      await expect(option).toContainText('Donaudampfschifffahrt');
      await expectNoViolationsInAllLooks(page);
      await page.keyboard.press('Enter');
      await expect(switcher).toHaveCount(0);
      const row = page.getByRole('article').filter({ has: message(page, 'Donaudampfschifffahrt') });
      await expect(row).toBeFocused();
    });
  });

  test(`without a connection, the search covers this device and says so (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;
    await sendOverHttp(page, 'Bob', 'A message about ships');
    await expect(message(page, 'ships')).toBeVisible();
    await registerOverHttp(server, 'Carla', language);
    await sendOverHttp(page, 'Carla', 'More ships elsewhere');
    await expect(page.locator('[data-chat]')).toHaveCount(2);
    await page.context().setOffline(true);
    await field(page).fill('ships');
    await expect(page.getByText(t('search.offline'))).toBeVisible();
    await expect(results(page)).toHaveCount(1);
    await results(page).click();
    const row = page.getByRole('article').filter({ has: message(page, 'ships') });
    await expect(row).toBeFocused();
    await expect(page).toHaveURL((url) => url.pathname === room);
    await page.context().setOffline(false);
    await expect(page.getByText(t('search.offline'))).toHaveCount(0);
    await expect(results(page)).toHaveCount(2);
  });

  test(`on a phone, the results are still there after a message was open (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ ...PHONE, locale: localeOf(language), reducedMotion: 'reduce' });
    await signInOverHttp(page, server, 'Alice', language);
    await registerOverHttp(server, 'Bob', language);
    const id = await sendOverHttp(page, 'Bob', 'ship 0');
    for (let i = 1; i <= 45; i += 1) await sendOverHttp(page, 'Bob', `ship ${i}`);
    await goToChatroom(page, `/chatarea/chats/${id}`);
    await page.goto('/chatarea');
    await field(page).tap();
    const filters = page.getByRole('group', { name: t('search.filters') });
    for (const control of [field(page), ...(await filters.getByRole('button').all())]) {
      const { height = 0 } = (await control.boundingBox()) ?? {};
      expect(Math.round(height)).toBeGreaterThanOrEqual(44);
    }
    // The last filter moves into view once it is on.
    await page.getByRole('button', { name: t('search.before') }).tap();
    await page.locator('[data-day][aria-current]').tap();
    const chip = filters.getByRole('button', { pressed: true });
    await expect(chip).toBeInViewport({ ratio: 1 });
    await expect(filters.getByRole('button', { name: t('search.fromMe') })).toBeInViewport();
    await chip.tap();
    await expect(chip).toHaveCount(0);
    await field(page).fill('ship');
    await expect(results(page).first()).toContainText('ship 45');
    await expectNoViolationsInAllLooks(page);

    // More are loaded at the end.
    const countAtEnd = async (): Promise<number> => {
      await results(page).last().scrollIntoViewIfNeeded();
      return results(page).count();
    };
    await expect.poll(countAtEnd).toBe(46);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const last = found(page, 'ship 3').last();
    await last.scrollIntoViewIfNeeded();
    const place = async () => Object.values((await last.boundingBox()) ?? {}).map(Math.round);
    const before = await place();
    await last.tap();
    await expect(message(page, 'ship 3').first()).toBeInViewport();
    await page.goBack();
    await expect(field(page)).toHaveValue('ship');
    await expect(results(page)).toHaveCount(46);
    await expect.poll(place).toEqual(before);
    await page.getByRole('button', { name: t('search.clear') }).tap();
    await expect(page.locator('[data-chat]')).toHaveCount(1);
    await page.getByRole('button', { name: t('search.close') }).tap();
    await expect(filters).toHaveCount(0);
  });

  test(`a failed search can be repeated, and a failed page as well (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const page = await newPage({ locale: localeOf(language), reducedMotion: 'reduce' });
    await signInOverHttp(page, server, 'Alice', language);
    await registerOverHttp(server, 'Bob', language);
    for (let i = 1; i <= 25; i += 1) await sendOverHttp(page, 'Bob', `ship ${i}`);
    await page.goto('/chatarea');
    let isBroken = true;
    await page.route('**/api/messages/search', (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { code: 'internal', errorMessage: 'broken' } })
        : route.continue(),
    );
    await field(page).fill('ship');
    await expect(page.getByText(t('search.failed'))).toBeVisible();
    await expectNoViolationsInAllLooks(page);
    isBroken = false;
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(results(page).first()).toContainText('ship 25');
    await expect(results(page)).toHaveCount(20);
    isBroken = true;
    await results(page).last().scrollIntoViewIfNeeded();
    await expect(page.getByText(t('search.moreFailed'))).toBeVisible();
    isBroken = false;
    await page.getByRole('button', { name: t('app.retry') }).click();
    await expect(results(page)).toHaveCount(25);
  });
}
