import type { Locator } from 'playwright/test';
import { signInElsewhere } from './support/browser-user.ts';
import { chatRow, message, sendText, textBox } from './support/chat.ts';
import { dismissToast } from './support/dismiss-toast.ts';
import { goToChatList, goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator } from './support/texts.ts';

const t = createTranslator('en');

type Delivery = 'sent' | 'delivered' | 'read';

/** Expects the ticks of a message, or of a chat's last message. */
async function expectTicks(shown: Locator, delivery: Delivery, text: string): Promise<void> {
  const ticks = shown.locator('[data-delivery]');
  await expect(ticks).toHaveAttribute('data-delivery', delivery);
  await expect(ticks).toContainText(text);
}

test('the ticks of a message follow it to the partner, who is seen typing', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const { page } = alice;
  const shown = message(page, 'Are you there?');
  await sendText(page, 'Are you there?');
  await expectTicks(shown, 'sent', t('message.sent'));
  // A page tells that its user is typing only if it has a live connection.
  await goToChatList(bob.page);
  await expectTicks(shown, 'delivered', t('message.delivered'));
  await chatRow(bob.page, 'Alice').click();
  await expectTicks(shown, 'read', t('message.read'));
  await expectTicks(chatRow(page, 'Bob'), 'read', t('message.read'));

  // It is shown for seconds only.
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const typing = page.getByText(t('room.typing'), { exact: true });
  await textBox(bob.page).fill('Hi');
  await expect(typing).toHaveCount(2);
  await textBox(bob.page).press('Enter');
  await expect(message(page, 'Hi')).toBeVisible();
  await expect(typing).toHaveCount(0);
});

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

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
