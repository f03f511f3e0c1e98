import { chatRow, message, messages, sendText, textBox } from './support/chat.ts';
import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { readDatabase } from './support/read-database.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const t = createTranslator('en');

test('each chatroom has a draft, which survives a reload', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  await registerOverHttp(server, 'Carla');
  const { page } = alice;
  const otherChatroom = `/chatarea/chats/${await sendOverHttp(page, 'Carla', 'Hi Carla')}`;
  await textBox(page).fill('For Bob');
  await chatRow(page, 'Carla').click();
  await expect(message(page, 'Hi Carla')).toBeVisible();
  await expect(textBox(page)).toHaveValue('');
  await textBox(page).fill('For Carla');
  await chatRow(page, 'Bob').click();
  await expect(textBox(page)).toHaveValue('For Bob');
  await page.reload();
  await expect(textBox(page)).toHaveValue('For Bob');
  await goToChatroom(page, otherChatroom);
  await expect(textBox(page)).toHaveValue('For Carla');
  await textBox(page).press('Enter');
  await expect.poll(() => readDatabase(page, 'drafts')).not.toContain('For Carla');
  await goToChatroom(page, room);
  await goToChatroom(page, otherChatroom);
  await expect(textBox(page)).toHaveValue('');
});

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

test('the edited text stays in the text box if the message is deleted during the edit', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await sendText(page, 'Once');
  const box = textBox(page);
  await expect(message(page, 'Once')).toHaveAttribute('data-state', 'sent');
  await box.press('ArrowUp');
  await expect(box).toHaveValue('Once');
  await box.fill('Once upon a time');

  const secondTab = await page.context().newPage();
  await goToChatroom(secondTab, room);
  const article = secondTab.locator('article').filter({ has: message(secondTab, 'Once') });
  await article.hover();
  await article.getByRole('button', { name: t('message.delete') }).click();
  await secondTab
    .getByRole('alertdialog')
    .getByRole('button', { name: t('app.delete') })
    .click();

  await dismissToast(page, t('composer.editedMessageDeleted'));
  await expect(page.getByRole('button', { name: t('composer.cancelEdit') })).toHaveCount(0);
  await expect(box).toHaveValue('Once upon a time');
  await box.press('Enter');
  // The first message of the chatroom, and the edited text as a new one.
  await expect(messages(page)).toHaveCount(2);
});

test('a hint shows that a text is too long, without changing the width of the text box', async ({
  server,
  newPage,
}) => {
  const viewport = { width: 360, height: 740 };
  const { alice } = await openChatroom(newPage, server, { viewport });
  const { page } = alice;
  const box = textBox(page);
  const width = async () => (await box.boundingBox())?.width;
  await box.fill('a'.repeat(10_000));
  const before = await width();
  const hint = page.getByText(t('composer.tooLong_other', { count: 5 }));
  await expect(hint).toHaveCount(0);
  await box.fill('a'.repeat(10_005));
  await expect(hint).toBeVisible();
  expect(await width()).toBe(before);

  await registerOverHttp(server, 'Carla');
  await page.goto('/chatarea/chats/new-chatroom/Carla');
  await box.fill('a'.repeat(10_005));
  await expect(hint).toBeVisible();
});

test('a first message cannot be edited while it is being sent', async ({ server, newPage }) => {
  const page = await newPage();
  await signInOverHttp(page, server, 'Alice');
  await registerOverHttp(server, 'Carla');
  await page.goto('/chatarea/chats/new-chatroom/Carla');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/chatrooms/create', async (route) => {
    await held.promise;
    await route.continue();
  });
  await textBox(page).fill('Hi Carla');
  await textBox(page).press('Enter');
  await page.keyboard.type(' and more');
  await expect(textBox(page)).toHaveValue('Hi Carla');
  held.resolve();
  await expect(message(page, 'Hi Carla')).toHaveText(/^Hi Carla/);
  await expect(textBox(page)).toBeFocused();
});
