import { sendOverHttp, signInElsewhere, signInOverHttp } from './support/browser-user.ts';
import { chatRow, message, messages } from './support/chat.ts';
import { goToChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('a block removes the chat from all devices, and withholds messages until it is undone', async ({
  server,
  newPage,
}) => {
  const [alice, page] = [await newPage(), await newPage()];
  await signInOverHttp(alice, server, 'Alice');
  const bob = await signInOverHttp(page, server, 'Bob');
  const room = `/chatarea/chats/${await sendOverHttp(alice, 'Bob', 'Hello Bob!')}`;
  const other = await signInElsewhere(await newPage(), bob);
  await goToChatroom(page, room);
  await expect(chatRow(other, 'Alice')).toBeVisible();

  await page.getByRole('button', { name: t('room.menu') }).click();
  await page.getByRole('menuitem', { name: t('room.block') }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: t('request.block'), exact: true }).click();
  for (const device of [page, other]) {
    await expect(device).toHaveURL((url) => url.pathname === '/chatarea');
    await expect(chatRow(device, 'Alice')).toHaveCount(0);
  }

  await sendOverHttp(alice, 'Bob', 'Why are you silent?');
  await goToChatroom(page, room);
  await page.getByRole('button', { name: t('block.unblock') }).click();
  await expect(chatRow(other, 'Alice')).toBeVisible();
  await sendOverHttp(alice, 'Bob', 'There you are');
  await expect(message(page, 'There you are')).toBeVisible();
  await expect(messages(page)).toHaveCount(2);
  await expect(chatRow(other, 'Alice')).toContainText('There you are');
});
