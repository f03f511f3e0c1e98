import { chatRow, searchUser, message, messages, sendText, startChat } from './support/chat.ts';
import { logIn, sendOverHttp, signUpWithForms } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';

test('two users register, find each other and chat live', async ({ server, newPage }) => {
  test.setTimeout(180_000);
  const [alice, bob] = await Promise.all([
    newPage().then((page) => signUpWithForms(page, server, 'Alice')),
    newPage().then((page) => signUpWithForms(page, server, 'Bob')),
  ]);

  await test.step('the first message appears in the chat list of the partner with a badge and a preview', async () => {
    await startChat(alice.page, 'bob', 'Hello Bob!');
    const row = chatRow(bob.page, 'Alice');
    await expect(row).toContainText('Hello Bob!');
    await expect(row.getByText('1 unread message')).toBeAttached();
  });

  await test.step('both users write messages', async () => {
    await chatRow(bob.page, 'Alice').click();
    await expect(message(bob.page, 'Hello Bob!')).toBeVisible();
    await expect(chatRow(bob.page, 'Alice').getByText('1 unread message')).toHaveCount(0);
    await sendText(bob.page, 'Hi Alice 👋');
    await expect(message(alice.page, 'Hi Alice')).toBeVisible();
    await sendText(alice.page, 'How are you?');
    await expect(message(bob.page, 'How are you?')).toBeVisible();
    await sendText(bob.page, 'Fine.\n\nAnd you?');
    await expect(message(alice.page, 'Fine.')).toContainText('And you?');
  });

  await test.step('a button shows the unread count after scrolling up, and marks all messages as read', async () => {
    for (let i = 1; i <= 25; i++) await sendOverHttp(alice.page, 'Bob', `Line number ${i}.`);
    await expect(message(bob.page, 'Line number 25.')).toBeVisible();
    await messages(bob.page).last().hover();
    await bob.page.mouse.wheel(0, -900);
    await expect(message(bob.page, 'Line number 25.')).not.toBeInViewport();

    await sendText(alice.page, 'Are you there?');
    await expect(
      bob.page.getByRole('button', { name: '1 unread message. Tap to see.' }),
    ).toBeVisible();
    await sendText(alice.page, 'Hello?');
    const button = bob.page.getByRole('button', { name: '2 unread messages. Tap to see.' });
    await expect(button).toBeVisible();
    const row = chatRow(bob.page, 'Alice');
    await expect(row.getByText('2 unread messages')).toBeAttached();

    await button.click();
    await expect(message(bob.page, 'Hello?')).toBeInViewport();
    await expect(button).toHaveCount(0);
    await expect(row.getByText('unread message')).toHaveCount(0);
  });

  await test.step('a reload shows all messages again', async () => {
    const count = await messages(alice.page).count();
    await alice.page.reload();
    await expect(message(alice.page, 'Hello?')).toBeVisible();
    expect(await messages(alice.page).count()).toBeGreaterThan(0);
    expect(count).toBeGreaterThan(0);
    await messages(alice.page).last().hover();
    await alice.page.mouse.wheel(0, -20_000);
    await expect(message(alice.page, 'Hello Bob!')).toBeVisible();
    await expect(chatRow(alice.page, 'Bob')).toContainText('Hello?');
  });

  await test.step('the search finds a message far up and opens it', async () => {
    await alice.page.getByRole('searchbox').fill('how are');
    const result = alice.page.locator('[data-result]');
    await expect(result).toHaveCount(1);
    await result.click();
    await expect(message(alice.page, 'How are you?')).toBeInViewport();
    await alice.page.getByRole('button', { name: 'Clear search' }).click();
    await alice.page.keyboard.press('Escape');
  });

  await test.step('messages to a user who has logged out are unread after the next login', async () => {
    await bob.page.getByRole('button', { name: 'Account menu: Bob' }).click();
    await bob.page.getByRole('menuitem', { name: 'Log out' }).click();
    await bob.page.waitForURL((url) => url.pathname === '/');
    await sendText(alice.page, 'For later, one.');
    await sendText(alice.page, 'For later, two.');
    await expect(message(alice.page, 'For later, two.')).toHaveAttribute('data-state', 'sent');
    await logIn(bob);
    const row = chatRow(bob.page, 'Alice');
    await expect(row.getByText('2 unread messages')).toBeAttached();
    await row.click();
    await expect(message(bob.page, 'For later, two.')).toBeVisible();
    await expect(row.getByText('unread message')).toHaveCount(0);
  });

  await test.step('searching for the partner again leads to the existing chatroom', async () => {
    await bob.page.goto('/chatarea');
    await searchUser(bob.page, 'ALICE');
    await expect(bob.page.getByText('You have already chatted with Alice')).toBeVisible();
    await expect(message(bob.page, 'For later, two.')).toBeVisible();
  });
});
