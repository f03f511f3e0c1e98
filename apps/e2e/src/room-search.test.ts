import type { Locator, Page } from 'playwright/test';
import { expectNoViolations, expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { chatroomIdOf, message, messages, scrollToStart, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { expectFingerSize, PHONE } from './support/phone.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, TEST_LANGUAGES, type Translator } from './support/texts.ts';

const DAY = 24 * 60 * 60_000;

/** Returns the controls of the search in the open chatroom. */
function searchBar(page: Page, t: Translator) {
  const bar = page.getByRole('search', { name: t('roomSearch.title') });
  return {
    bar,
    field: bar.getByRole('textbox'),
    count: bar.getByRole('status').first(),
    older: bar.getByRole('button', { name: t('roomSearch.older'), exact: true }),
    newer: bar.getByRole('button', { name: t('roomSearch.newer'), exact: true }),
    filter: (name: string) => bar.getByRole('button', { name: t(`search.${name}`), exact: true }),
    place: (current: number, total: number | string) => t('roomSearch.place', { current, total }),
  };
}

/** Returns the message that is selected in the results. */
function selected(page: Page): Locator {
  return page.locator('[data-found] [data-message]');
}

/** Sends numbered messages as the page's user. */
async function fillChatroom(page: Page, partner: string, count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) await sendOverHttp(page, partner, `number ${i}.`);
}

async function openMenuItem(page: Page, t: Translator, name: string): Promise<void> {
  await page.getByRole('button', { name: t('room.menu'), exact: true }).click();
  await page.getByRole('menuitem', { name: t(name), exact: true }).click();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the search in a chatroom steps through what it finds (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
      reducedMotion: 'reduce',
    });
    const { page } = alice;
    const ship = 'Die Donaudampfschifffahrt macht Spaß';
    await sendOverHttp(bob.page, 'Alice', ship);
    await fillChatroom(page, 'Bob', 110);
    await sendOverHttp(page, 'Bob', 'Two ships (Schiffe), https://schiff.example/plan');
    await sendOverHttp(bob.page, 'Alice', 'Das schönste SCHIFF');
    await goToChatroom(page, room);
    const { bar, field, count, older, newer, filter, place } = searchBar(page, t);

    await test.step('Ctrl+F opens it from the text box, and the newest result is shown', async () => {
      await textBox(page).fill('unsent');
      await textBox(page).press('Control+f');
      await expect(field).toBeFocused();
      await page.keyboard.type('schiff');
      await expect(count).toContainText(place(1, 3));
      await expect(selected(page)).toContainText('Das schönste SCHIFF');
      await expect(selected(page).locator('mark')).toHaveText('SCHIFF');
      // All results are highlighted, also within links.
      await expect(message(page, 'Two ships').locator('mark')).toHaveText(['Schiff', 'schiff']);
      await expect(message(page, 'Two ships').locator('a mark')).toHaveCount(1);
      await expect(field).toBeFocused();
      await expectNoViolationsInAllLooks(page);
    });

    await test.step('Enter and F3 go to older results, also far up, and back with Shift', async () => {
      await field.press('Enter');
      await expect(count).toContainText(place(2, 3));
      await expect(selected(page)).toContainText('Two ships');
      await page.keyboard.press('F3');
      await expect(count).toContainText(place(3, 3));
      await expect(selected(page)).toContainText(ship);
      await expect(selected(page).locator('mark')).toHaveText('schiff');
      await expect(selected(page)).toBeInViewport();
      await expect(field).toBeFocused();
      await page.keyboard.press('F3');
      await expect(count).toContainText(place(1, 3));
      await page.keyboard.press('Shift+F3');
      await expect(count).toContainText(place(3, 3));
      await newer.click();
      await expect(count).toContainText(place(2, 3));
      await older.click();
      await expect(count).toContainText(place(3, 3));
      await expect(selected(page)).toBeInViewport();
    });

    await test.step('umlauts, ß and two letters are found', async () => {
      for (const [text, found] of [
        ['schoenste', 'Das schönste SCHIFF'],
        ['spass', ship],
        ['fah spa', ship],
        ['zz', undefined],
        ['tw', 'Two ships'],
      ] as const) {
        await field.fill(text);
        if (found === undefined) await expect(count).toHaveText(t('roomSearch.none'));
        else await expect(selected(page)).toContainText(found);
      }
    });

    await test.step('filters narrow the results down', async () => {
      await field.fill('schiff');
      await filter('fromMe').click();
      await expect(count).toContainText(place(1, 1));
      await expect(selected(page)).toContainText('Two ships');
      // There is no other result to go to.
      for (const button of [older, newer]) {
        await expect(button).toBeDisabled();
        await button.focus();
        await page.keyboard.press('Enter');
        await expect(button).toBeFocused();
      }
      await field.press('Enter');
      await expect(count).toContainText(place(1, 1));
      await filter('fromPartner').click();
      await expect(count).toContainText(place(1, 2));
      for (const button of [older, newer]) await expect(button).toBeEnabled();
      await filter('fromPartner').click();
      await filter('links').click();
      await expect(count).toContainText(place(1, 1));
      await field.fill('');
      await expect(count).toContainText(place(1, 1));
      await filter('links').click();
      await expect(count).toBeEmpty();
    });

    await test.step('a result that is deleted leaves', async () => {
      await field.fill('schiff');
      await expect(count).toContainText(place(1, 3));
      const body = await bob.page.request.get(`/api/chatrooms/chats/${chatroomIdOf(page)}`);
      const { chatroomMessages } = (await body.json()) as { chatroomMessages: { _id: string }[] };
      const messageId = chatroomMessages.at(-1)?._id;
      await bob.page.request.delete('/api/messages/delete', { data: { messageId } });
      await expect(count).toContainText(t('roomSearch.found_other', { count: 2 }));
      await field.press('Enter');
      await expect(selected(page)).toContainText('Two ships');
    });

    await test.step('Escape closes it at the message that was found', async () => {
      await field.press('Escape');
      await expect(bar).toHaveCount(0);
      const row = page.getByRole('article').filter({ hasText: 'Two ships' });
      await expect(row).toBeFocused();
      await expect(page.locator('mark')).toHaveCount(0);
      await expect(textBox(page)).toHaveValue('unsent');
      await page.keyboard.press('Control+f');
      await expect(field).toHaveValue('');
      await page.keyboard.press('Escape');
      await expect(row).toBeFocused();
      await expect(page).toHaveURL((url) => url.pathname === room);
      await openMenuItem(page, t, 'roomSearch.title');
      await expect(field).toBeFocused();
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(field).toBeFocused();
    });
  });

  test(`the calendar jumps to the first message of a day or the next one (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
      reducedMotion: 'reduce',
    });
    const { page } = alice;
    await fillChatroom(bob.page, 'Alice', 110);
    await page.request.post(`/api/chatrooms/chats/${chatroomIdOf(page)}/mark-as-read`);
    // All messages are from three days ago.
    await page.clock.setSystemTime(Date.now() + 3 * DAY);
    await goToChatroom(page, room);
    const dialog = page.getByRole('dialog', { name: t('calendar.jump') });
    const grid = dialog.getByRole('grid');
    const dayOf = (offset: number): Promise<string> =>
      page.evaluate((days) => {
        const time = new Date();
        time.setDate(time.getDate() + days);
        return time.toLocaleDateString('sv-SE');
      }, offset);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'));
    const first = page.getByRole('article').filter({ hasText: 'Hello Bob!' });

    const openCalendar = async () => {
      await openMenuItem(page, t, 'calendar.open');
      await expect(grid).toBeVisible();
      await expect.poll(focused).toBe(await dayOf(0));
    };

    await test.step('it opens at today, and keys move between days but not beyond today', async () => {
      await openCalendar();
      await page.keyboard.press('ArrowRight');
      expect(await focused()).toBe(await dayOf(0));
      await page.keyboard.press('ArrowLeft');
      expect(await focused()).toBe(await dayOf(-1));
      await page.keyboard.press('ArrowUp');
      expect(await focused()).toBe(await dayOf(-8));
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe(await dayOf(-1));
      const before = await focused();
      await page.keyboard.press('PageUp');
      expect((await focused())?.slice(0, 7)).not.toBe(before?.slice(0, 7));
      await expect(grid.getByRole('button', { disabled: true })).toHaveCount(0);
      await page.keyboard.press('PageDown');
      await page.keyboard.press('Home');
      // Weeks begin on Monday in German and on Sunday in the browser's English.
      const weekday = await page.evaluate(() => {
        const day = document.activeElement?.getAttribute('data-day') ?? '';
        return new Date(`${day}T12:00`).getDay();
      });
      expect(weekday).toBe(language === 'de' ? 1 : 0);
      await expectNoViolationsInAllLooks(page);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole('button', { name: t('roomSearch.title') })).toBeFocused();
    });

    await test.step('an earlier day leads to the first message after it', async () => {
      await openCalendar();
      await page.keyboard.press('PageUp');
      await page.keyboard.press('Enter');
      await expect(first).toBeFocused();
      await expect(first).toBeInViewport();
    });

    await test.step('a day without messages after it says so and shows the newest ones', async () => {
      await openCalendar();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await expect(page.getByText(t('calendar.none'))).toBeVisible();
      await expect(message(page, 'number 110.')).toBeInViewport();
    });

    await test.step('the day of the messages leads to the first of them', async () => {
      await openCalendar();
      await grid.locator(`[data-day="${await dayOf(-3)}"]`).click();
      await expect(first).toBeFocused();
    });

    await test.step('offline, it says that only this device is searched', async () => {
      await page.context().setOffline(true);
      await openCalendar();
      await expect(dialog.getByText(t('search.offline'))).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await expect(page.getByText(t('calendar.noneOffline'))).toBeVisible();
      await openCalendar();
      await page.context().setOffline(false);
      await expect(dialog.getByText(t('search.offline'))).toHaveCount(0);
    });
  });

  test(`the search in a chatroom works with touch on a phone, and offline (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      ...PHONE,
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;
    await sendOverHttp(bob.page, 'Alice', 'Ahoy from the harbor');
    await fillChatroom(bob.page, 'Alice', 60);
    await sendFile(bob.page, room, 'image', createPng(300, 200));
    await goToChatroom(page, room);
    const { bar, field, count, older, filter, place } = searchBar(page, t);

    await test.step('buttons open it, step and filter, all large enough', async () => {
      await page.getByRole('button', { name: t('roomSearch.title'), exact: true }).tap();
      await field.fill('number 1');
      await expect(count).toContainText(place(1, 15));
      await older.tap();
      await expect(count).toContainText(place(2, 15));
      await field.fill('');
      await filter('images').tap();
      await expect(count).toContainText(place(1, 1));
      await expect(selected(page).getByRole('img')).toBeInViewport();
      for (const button of await bar.getByRole('button').all()) {
        if (await button.isVisible()) await expectFingerSize(button);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await expectNoViolations(page);
      await filter('images').tap();
    });

    await test.step('a button leads back to where the user was reading', async () => {
      await bar.getByRole('button', { name: t('search.close'), exact: true }).tap();
      await expect(bar).toHaveCount(0);
      await scrollToStart(page);
      await page.getByRole('button', { name: t('roomSearch.title'), exact: true }).tap();
      await field.fill('number 55');
      await expect(selected(page)).toContainText('number 55.');
      await page.getByRole('button', { name: t('reply.back'), exact: true }).tap();
      await expect(message(page, 'Ahoy from the harbor')).toBeInViewport();
    });

    await test.step('offline, it covers what is on the device and says so', async () => {
      await page.context().setOffline(true);
      await field.fill('number 60');
      await expect(bar.getByText(t('search.offline'))).toBeVisible();
      await expect(selected(page)).toContainText('number 60.');
      await page.context().setOffline(false);
      await expect(bar.getByText(t('search.offline'))).toHaveCount(0);
      await expect(count).toContainText(place(1, 1));
      await expect(messages(page).last()).toBeVisible();
    });
  });
}
