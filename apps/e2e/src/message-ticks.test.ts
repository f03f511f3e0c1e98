import type { Locator, Page } from 'playwright/test';
import { expectNoViolationsInAllLooks } from './support/accessibility.ts';
import { signInElsewhere } from './support/browser-user.ts';
import { chatRow, message, sendText, textBox } from './support/chat.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

const NARROW = { width: 360, height: 740 };

type Delivery = 'sent' | 'delivered' | 'read';

/** Expects the ticks of a message, or of a chat's last message. */
async function expectTicks(shown: Locator, delivery: Delivery, text: string): Promise<void> {
  const ticks = shown.locator('[data-delivery]');
  await expect(ticks).toHaveAttribute('data-delivery', delivery);
  await expect(ticks).toContainText(text);
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the ticks of a message follow it to the partner's devices (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
    });
    const { page } = alice;
    const phone = await signInElsewhere(await newPage({ viewport: NARROW }), alice);
    await goToChatroom(phone, room);
    const check = async (text: string, delivery: Delivery): Promise<void> => {
      for (const device of [page, phone]) {
        await expectTicks(message(device, text), delivery, t(`message.${delivery}`));
      }
      await expectTicks(chatRow(page, 'Bob'), delivery, t(`message.${delivery}`));
    };

    await test.step('one tick while the partner is signed out everywhere', async () => {
      await sendText(page, 'Are you there?');
      await check('Are you there?', 'sent');
    });

    await test.step('two ticks once the message is in the chat list of a device', async () => {
      await bob.page.goto('/chatarea');
      await expect(chatRow(bob.page, 'Alice')).toContainText('Are you there?');
      await check('Are you there?', 'delivered');
      await sendText(page, 'And this?');
      await check('And this?', 'delivered');
    });

    await test.step('colored ticks once the partner reads, for everything before as well', async () => {
      await chatRow(bob.page, 'Alice').click();
      await check('And this?', 'read');
      await expectTicks(message(page, 'Hello Bob!'), 'read', t('message.read'));
      await expectNoViolationsInAllLooks(page);
    });

    await test.step('a device follows after it was offline, and shows the last state until then', async () => {
      await phone.context().setOffline(true);
      await sendText(page, 'While you were away');
      await expectTicks(message(page, 'While you were away'), 'read', t('message.read'));
      await expectTicks(message(phone, 'And this?'), 'read', t('message.read'));
      await phone.context().setOffline(false);
      await expectTicks(message(phone, 'While you were away'), 'read', t('message.read'));
    });

    await test.step('the partner was offline, reads without a connection and reconnects', async () => {
      await bob.page.context().setOffline(true);
      await sendText(page, 'In the tunnel?');
      await check('In the tunnel?', 'sent');
      await bob.page.context().setOffline(false);
      await check('In the tunnel?', 'read');
    });

    await test.step('the details of the message say the same', async () => {
      await message(page, 'In the tunnel?').click({ button: 'right' });
      await page.getByRole('menuitem', { name: t('message.details') }).click();
      await expect(page.getByRole('dialog')).toContainText(t('message.read'));
      await page.keyboard.press('Escape');
    });

    await test.step('a reload shows the same', async () => {
      await page.reload();
      await check('In the tunnel?', 'read');
    });
  });

  test(`a user who switches receipts off tells and sees nothing (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    const { page } = bob;
    const tablet = await signInElsewhere(await newPage(), bob);
    await goToChatroom(tablet, room);
    await sendText(tablet, 'Seen?');
    await expectTicks(message(tablet, 'Seen?'), 'read', t('message.read'));

    await page.goto('/settings');
    const section = page.getByRole('checkbox', { name: t('settings.sharesReceipts') });
    await expect(section).toBeChecked();
    await section.click();
    await dismissToast(page, t('settings.updated'));
    await expect(section).not.toBeChecked();
    await expectTicks(message(tablet, 'Seen?'), 'sent', t('message.sent'));

    await sendText(alice.page, 'Did you read this?');
    await expect(message(tablet, 'Did you read this?')).toBeVisible();
    await sendText(tablet, 'Yes, but silently');
    await expect(message(alice.page, 'Yes, but silently')).toBeVisible();
    await expectTicks(message(alice.page, 'Did you read this?'), 'sent', t('message.sent'));
    await expectTicks(message(tablet, 'Yes, but silently'), 'sent', t('message.sent'));

    await section.click();
    await dismissToast(page, t('settings.updated'));
    await expectTicks(message(tablet, 'Yes, but silently'), 'read', t('message.read'));
    await sendText(alice.page, 'And now?');
    await expectTicks(message(alice.page, 'And now?'), 'read', t('message.read'));
  });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a partner sees who is typing until the message arrives (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    const tablet = await signInElsewhere(await newPage({ viewport: NARROW }), alice);
    await goToChatroom(tablet, room);
    const typing = (page: Page): Locator => page.getByText(t('room.typing'), { exact: true });

    // It is shown for seconds only.
    for (const page of [alice.page, tablet]) {
      await page.clock.install();
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    }
    await textBox(bob.page).pressSequentially('Hi');
    // In the header and the chat list.
    await expect(typing(alice.page)).toHaveCount(2);
    await expect(chatRow(alice.page, 'Bob')).toContainText(t('room.typing'));
    await expect(typing(tablet).filter({ visible: true })).toHaveCount(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await alice.page.emulateMedia({ colorScheme });
      await textBox(bob.page).press('a');
      await expect(typing(alice.page)).toHaveCount(2);
    }
    await textBox(bob.page).press('Enter');
    await expect(message(alice.page, 'Hiaa')).toBeVisible();
    await expect(typing(alice.page)).toHaveCount(0);
    await expect(typing(bob.page)).toHaveCount(0);

    for (const page of [alice.page, tablet]) await page.clock.resume();
    await alice.page.goto('/settings');
    const shares = alice.page.getByRole('checkbox', { name: t('settings.sharesTyping') });
    await shares.click();
    await dismissToast(alice.page, t('settings.updated'));
    await textBox(bob.page).pressSequentially('Nobody sees this');
    await sendText(bob.page, 'But this');
    await expect(message(tablet, 'But this')).toBeVisible();
    await expect(typing(tablet)).toHaveCount(0);
  });
}
