import type { Locator, Page } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { signInElsewhere } from './support/browser-user.ts';
import { chatRow, message, sendText, textBox } from './support/chat.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

const NARROW = { width: 360, height: 740 };

/** Longer than the time for which a user who left counts as online. */
const GRACE = { timeout: 30_000 };

/** The line below the partner's name. */
const status = (page: Page): Locator => page.locator('[data-status]');

const dot = (page: Page, partner: string): Locator =>
  chatRow(page, partner).locator('[data-online]');

/** Pretends that a page is in the background, or in the foreground again. */
async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isVisible ? 'visible' : 'hidden',
  );
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a partner is online while a device is in use, and was last seen otherwise (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    const { page } = alice;
    const phone = await signInElsewhere(await newPage({ viewport: NARROW, hasTouch: true }), alice);
    await goToChatroom(phone, room);

    await test.step('on all devices, in the header and the chat list', async () => {
      for (const device of [page, phone]) await expect(status(device)).toHaveText(t('room.online'));
      await expect(dot(page, 'Bob')).toBeVisible();
      await expectNoViolationsInAllLooks(page);
      const width = await phone.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(NARROW.width);
    });

    await test.step('typing takes precedence', async () => {
      await textBox(bob.page).pressSequentially('Hi');
      await expect(status(page)).toHaveText(t('room.typing'));
      await textBox(bob.page).press('Enter');
      await expect(message(page, 'Hi')).toBeVisible();
      await expect(status(page)).toHaveText(t('room.online'));
    });

    await test.step('a reload does not show', async () => {
      const texts: string[] = [];
      await page.exposeFunction('recordStatus', (text: string) => texts.push(text));
      await page.evaluate(() => {
        const record = Reflect.get(window, 'recordStatus');
        new MutationObserver(() => {
          record(document.querySelector('[data-status]')?.textContent ?? '');
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      await bob.page.reload();
      await sendText(bob.page, 'Back');
      await expect(message(page, 'Back')).toBeVisible();
      expect(
        texts.filter((text) => text !== t('room.online') && text !== t('room.typing')),
      ).toEqual([]);
    });

    await test.step('not without a connection of the own device', async () => {
      await phone.context().setOffline(true);
      await expect(status(phone)).toHaveCount(0);
      await phone.context().setOffline(false);
      await expect(status(phone)).toHaveText(t('room.online'));
    });

    await test.step('not for a page in the background', async () => {
      await setVisible(bob.page, false);
      const lastSeen = new RegExp(
        [
          t('room.lastSeenNow'),
          t('room.lastSeenMinutes_one', { count: 1 }),
          t('room.lastSeenMinutes_other', { count: 2 }),
        ].join('|'),
      );
      for (const device of [page, phone]) await expect(status(device)).toHaveText(lastSeen, GRACE);
      await expect(dot(page, 'Bob')).toHaveCount(0);
      await setVisible(bob.page, true);
      await expect(status(page)).toHaveText(t('room.online'));
    });
  });

  test(`a user who does not share it sees and shows no one online (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
    });
    await bob.page.goto('/settings');
    const tablet = await signInElsewhere(await newPage(), bob);
    await goToChatroom(tablet, room);
    await expect(status(alice.page)).toHaveText(t('room.online'));
    await expect(status(tablet)).toHaveText(t('room.online'));

    const shares = bob.page.getByRole('checkbox', { name: t('settings.sharesPresence') });
    await expect(shares).toBeChecked();
    await shares.click();
    await dismissToast(bob.page, t('settings.updated'));
    await expect(shares).not.toBeChecked();
    await expect(status(alice.page)).toHaveCount(0);
    await expect(dot(alice.page, 'Bob')).toHaveCount(0);
    await expect(status(tablet)).toHaveCount(0);

    await shares.click();
    await expect(status(alice.page)).toHaveText(t('room.online'));
    await expect(status(tablet)).toHaveText(t('room.online'));
  });
}

const t = createTranslator('en');

test('a user whom the partner has blocked sees nothing, until the block ends @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  await expect(status(alice.page)).toHaveText(t('room.online'));
  const url = `/api/chatrooms/chats/${room.split('/').at(-1)}`;
  await bob.page.request.post(`${url}/block`);
  await expect(status(alice.page)).toHaveCount(0);
  await alice.page.reload();
  await expect(textBox(alice.page)).toBeVisible();
  await expect(status(alice.page)).toHaveCount(0);
  await bob.page.request.post(`${url}/unblock`);
  await expect(status(alice.page)).toHaveText(t('room.online'));
});
