import { chatRow, chatroomIdOf, message, sendText, startChat } from '../support/chat.ts';
import { acceptAsPartner, signUpOverHttp } from '../support/browser-user.ts';
import { receiveNewerKind } from '../support/newer-server.ts';
import { goToChatroom, openSharedChatroom } from '../support/shared-chatroom.ts';
import { expect as baseExpect, test } from '../support/test.ts';
import { createTranslator } from '../support/texts.ts';
import { expectLast, withBridge } from './support/bridge.ts';

const t = createTranslator('en');
// Each test starts two browsers and its own server, which takes time.
const expect = baseExpect.configure({ timeout: 30_000 });

test.setTimeout(150_000);

test('a message in an unfocused window shows a notification that opens the chatroom and sends a reply', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await signUpOverHttp(alicePage, server, 'Alice');
  await signUpOverHttp(bobPage, server, 'Bob');
  await expect(bobPage.getByText(t('chatList.empty'))).toBeVisible();
  await expectLast(main, 'set-language', 'en');
  await main.setFocus(false);

  await startChat(alicePage, 'bob', 'Hello?', { isRequest: true });
  const chatroom = chatroomIdOf(alicePage);
  await expect
    .poll(() => main.calls('notify'))
    .toEqual([
      {
        chatroom,
        title: t('request.notification', { name: 'Alice' }),
        body: '',
        silent: true,
        canReply: false,
      },
    ]);
  expect(await main.calls('set-unread')).not.toContainEqual(expect.objectContaining({ count: 1 }));

  await acceptAsPartner(alicePage, 'bob', chatroom);
  await sendText(alicePage, 'Hello Bob!');
  await expect
    .poll(async () => (await main.calls('notify')).slice(1))
    .toEqual([{ chatroom, title: 'Alice', body: 'Hello Bob!', silent: false }]);
  await expectLast(main, 'set-unread', {
    count: 2,
    picture: expect.stringMatching(/^data:image\/png;base64,/),
  });

  await main.setFocus(true);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
  await expect(message(bobPage, 'Hello Bob!')).toBeVisible();
  await expectLast(main, 'set-unread', { count: 0 });
  await expectLast(main, 'withdraw-notification', chatroom);

  await main.setFocus(false);
  await sendText(alicePage, 'Are you there?');
  await expect.poll(() => main.calls('notify')).toHaveLength(3);
  await main.emit({ type: 'reply', chatroom, text: 'Yes, from the notification.' });
  await expect(message(alicePage, 'Yes, from the notification.')).toBeVisible();
});

test('an event that arrives while the page is still starting is not lost', async ({
  server,
  newPage,
}) => {
  const [alicePage, bobPage] = [await newPage(), await newPage()];
  const main = await withBridge(bobPage);
  await signUpOverHttp(alicePage, server, 'Alice');
  await signUpOverHttp(bobPage, server, 'Bob');
  await startChat(alicePage, 'bob', 'Hello Bob!');
  await expect(chatRow(bobPage, 'Alice')).toBeVisible();
  const chatroom = chatroomIdOf(alicePage);
  await bobPage.goto('/profile', { waitUntil: 'commit' });
  await bobPage.waitForFunction(() => 'fakeMain' in window);
  await expect.poll(() => main.calls('ready')).toHaveLength(1);
  await main.emit({ type: 'open-chat', chatroom });
  await bobPage.waitForURL(`**/chatarea/chats/${chatroom}`);
});

test('a page whose bridge is refused shows only an error', async ({ server, newPage }) => {
  const page = await newPage();
  await withBridge(page, { start: null });
  await page.goto(server.url);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This window is not connected to the app.');
  await expect(page.getByRole('button')).toHaveText(['Reload']);
});

test('a message of a kind of a newer server is shown as text in the browser and in the app', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const app = await newPage();
  const { email, password } = bob;
  await app.request.post('/api/users/login', { data: { email, password } });
  const main = await withBridge(app);
  const text = 'Lunch on Friday?';
  const second = `${text} Or on Saturday?`;
  for (const page of [bob.page, app]) await receiveNewerKind(page, text);
  await goToChatroom(app, room);
  await main.setFocus(false);
  await sendText(alice.page, text);
  await expect
    .poll(() => main.calls('notify'))
    .toEqual([expect.objectContaining({ title: 'Alice', body: text })]);
  await goToChatroom(bob.page, room);
  await sendText(alice.page, second);
  for (const page of [bob.page, app]) {
    await expect(message(page, second)).toContainText(t('message.newerKind'));
  }
  // The unknown event after it did not break the connection.
  await sendText(alice.page, 'And on Monday?');
  await expect(message(app, 'And on Monday?')).toBeVisible();
  for (const page of [bob.page, app]) await page.unrouteAll({ behavior: 'ignoreErrors' });
});
