import type { Page } from 'playwright/test';
import { signInElsewhere, sendOverHttp } from './support/browser-user.ts';
import { chatRow, message, messages, sendText } from './support/chat.ts';
import { focusWithKeyboard, pressWithKeyboard } from './support/keyboard.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, type Translator } from './support/texts.ts';

const t = createTranslator('en');
const NARROW = { width: 360, height: 740 };

/** Opens the dialog that blocks the partner of the open chatroom, with the keyboard. */
async function openBlockDialog(page: Page, t: Translator): Promise<void> {
  await pressWithKeyboard(page, page.getByRole('button', { name: t('room.menu') }));
  await focusWithKeyboard(page, page.getByRole('menuitem', { name: t('room.block') }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const viewport = language === 'de' ? { viewport: NARROW } : {};

  test(`blocking with the keyboard removes the chat from all devices and can be undone (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, {
      language,
      ...viewport,
    });
    const { page } = bob;
    const other = await signInElsewhere(await newPage(viewport), bob);
    await goToChatroom(other, room);
    const heading = page.getByRole('heading', { level: 1 });

    await test.step('Escape returns the focus to the menu button', async () => {
      await openBlockDialog(page, t);
      await expect(page.getByRole('alertdialog')).toContainText(t('block.text', { name: 'Alice' }));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await expect(page.getByRole('button', { name: t('room.menu') })).toBeFocused();
    });

    await test.step('a failure is shown in the dialog, which can be confirmed again', async () => {
      await page.route('**/block', (route) => route.abort(), { times: 1 });
      await openBlockDialog(page, t);
      const dialog = page.getByRole('alertdialog');
      const confirm = dialog.getByRole('button', { name: t('request.block'), exact: true });
      await pressWithKeyboard(page, confirm);
      await expect(dialog.getByRole('alert')).toHaveText(t('error.offline'));
      const paths: string[] = [];
      other.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname));
      await page.keyboard.press('Enter');
      for (const device of [page, other]) {
        await expect(device).toHaveURL((url) => url.pathname === '/chatarea');
        await expect(chatRow(device, 'Alice')).toHaveCount(0);
        await expect(device.getByRole('heading', { level: 1 })).toBeFocused();
      }
      await expect(page.getByText(t('block.done', { name: 'Alice' }))).toBeVisible();
      expect(paths).toEqual(['/chatarea']);
    });

    await test.step('the blocked person sees one check mark and nothing else', async () => {
      await sendOverHttp(alice.page, 'Bob', 'Why are you silent?');
      await expect(message(alice.page, 'Why are you silent?')).toHaveAttribute(
        'data-state',
        'sent',
      );
      await expect(page.getByRole('log')).toBeEmpty();
    });

    await test.step('the chat is found under Settings and can be unblocked there', async () => {
      await page.goto('/settings');
      await page.getByRole('link', { name: 'Alice' }).click();
      await expect(heading).toHaveText('Alice');
      await expect(page.getByText(t('block.bar', { name: 'Alice' }))).toBeVisible();
      await expect(message(page, 'Hello Bob!')).toBeVisible();
      await expect(messages(page)).toHaveCount(1);
      await expect(page.getByRole('textbox')).toHaveCount(0);
      await pressWithKeyboard(page, page.getByRole('button', { name: t('settings.unblock') }));
      await expect(page.getByText(t('block.undone', { name: 'Alice' }))).toBeVisible();
      await expect(page.getByRole('textbox')).toBeVisible();
      if (language === 'en') await expect(page.getByRole('textbox')).toBeFocused();
      await expect(chatRow(other, 'Alice')).toBeVisible();
    });

    await test.step('only what is sent from then on arrives', async () => {
      await sendOverHttp(alice.page, 'Bob', 'There you are');
      await expect(message(page, 'There you are')).toBeVisible();
      await expect(messages(page)).toHaveCount(2);
      await expect(chatRow(other, 'Alice')).toContainText('There you are');
      await page.reload();
      await expect(message(page, 'There you are')).toBeVisible();
      await expect(messages(page)).toHaveCount(2);
    });
  });
}

test('a device that was offline during a block follows after the gap', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const [inRoom, inList] = [
    await signInElsewhere(await newPage(), bob),
    await signInElsewhere(await newPage(), bob),
  ];
  await goToChatroom(inRoom, room);
  await expect(chatRow(inList, 'Alice')).toBeVisible();
  for (const device of [inRoom, inList]) {
    await device.context().setOffline(true);
    await expect(device.getByText(t('connection.offline'))).toBeVisible();
  }
  await sendText(inRoom, 'Written offline');
  await openBlockDialog(bob.page, t);
  const confirm = bob.page.getByRole('button', { name: t('request.block'), exact: true });
  await pressWithKeyboard(bob.page, confirm);
  await expect(chatRow(bob.page, 'Alice')).toHaveCount(0);
  await sendOverHttp(alice.page, 'Bob', 'Never delivered');

  for (const device of [inRoom, inList]) {
    await device.context().setOffline(false);
    await expect(chatRow(device, 'Alice')).toHaveCount(0);
    await expect(device).not.toHaveURL((url) => url.pathname === '/404');
  }
  await expect(message(inRoom, 'Written offline')).toHaveCount(0);
  await expect(inRoom.getByText('Never delivered')).toHaveCount(0);
  await expect(messages(alice.page)).toHaveCount(2);
});
