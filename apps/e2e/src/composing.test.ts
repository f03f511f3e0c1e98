import { message, textBox } from './support/chat.ts';
import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { registerOverHttp, sendOverHttp } from './support/browser-user.ts';
import { readDatabase } from './support/read-database.ts';
import { expect, test } from './support/test.ts';

test('tabs share all drafts', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  await registerOverHttp(server, 'Carla');
  const { page } = alice;
  const otherChatroom = `/chatarea/chats/${await sendOverHttp(page, 'Carla', 'Hi Carla')}`;
  const secondTab = await page.context().newPage();
  await goToChatroom(secondTab, otherChatroom);
  await textBox(page).fill('For Bob');
  // Browsers notify tabs in other processes with a short delay, in which no user could type in both tabs.
  await expect.poll(() => readDatabase(secondTab)).toContain('For Bob');
  await textBox(secondTab).fill('For Carla');
  await page.reload();
  await expect(textBox(page)).toHaveValue('For Bob');
  await goToChatroom(page, otherChatroom);
  await expect(textBox(page)).toHaveValue('For Carla');

  await textBox(secondTab).fill('For Carla, from here');
  await expect(textBox(page)).toHaveValue('For Carla, from here');
  await textBox(page).press('Enter');
  await expect(message(secondTab, 'For Carla, from here')).toBeVisible();
  await expect(textBox(secondTab)).toHaveValue('');
  await goToChatroom(secondTab, room);
  await expect(textBox(secondTab)).toHaveValue('For Bob');
});
