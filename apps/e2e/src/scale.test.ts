import type { ChatList, ChatState } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import { chatRow, message, messages, textBox } from './support/chat.ts';
import { goToChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, signInOverHttp, signUpOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';

const MESSAGES = 10_000;
const CONCURRENT = 100;
/** Maximum number of rows in the document: the visible ones and some around them. */
const MAX_ROWS = 60;

test.use({ serverEnv: { PARLEY_RATE_LIMITS: 'false' } });

/** Scrolls with the wheel until the condition is met. */
async function scrollUntil(
  page: Page,
  step: number,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await expect(async () => {
    for (let i = 0; i < 20; i++) await page.mouse.wheel(0, step);
    expect(await isDone()).toBe(true);
  }).toPass({ intervals: [0], timeout: 120_000 });
}

test('a chatroom of 10,000 messages can be read to its beginning with few rows in the document @long', async ({
  server,
  newPage,
}) => {
  const alice = await signInOverHttp(await newPage(), server, 'Alice');
  const { page } = await signInOverHttp(await newPage(), server, 'Bob');
  const chatroom = await sendOverHttp(alice.page, 'Bob', 'Hello Bob!');
  const cookies = await alice.page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  // Not with Playwright, whose requests take longer than the server needs for them.
  const send = async (content: string): Promise<number> => {
    const response = await fetch(`${server.url}/api/messages/send`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ chatroom, content, clientId: randomUUID() }),
    });
    // Frees the connection.
    await response.text();
    return response.status;
  };
  for (let sent = 0; sent < MESSAGES; sent += CONCURRENT) {
    const statuses = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, index) => send(`number ${sent + index + 1}`)),
    );
    expect(statuses.every((status) => status === 201)).toBe(true);
  }
  await page.goto('/chatarea');
  await expect(chatRow(page, 'Alice')).toContainText('unread');
  await page.request.post(`/api/chatrooms/chats/${chatroom}/mark-as-read`);
  await goToChatroom(page, `/chatarea/chats/${chatroom}`);
  await expect(messages(page).last()).toBeInViewport();

  let maxCount = 0;
  const start = page.getByText('This is where your chat with Alice begins.');
  await messages(page).last().hover();
  await scrollUntil(page, -6_000, async () => {
    maxCount = Math.max(maxCount, await messages(page).count());
    return await start.isVisible();
  });
  await expect(message(page, 'Hello Bob!')).toBeVisible();
  expect(maxCount).toBeLessThan(MAX_ROWS);

  await page.getByRole('button', { name: 'Go to the newest message' }).click();
  await expect(messages(page).last()).toBeInViewport();
  await textBox(page).fill('still quick');
  await textBox(page).press('Enter');
  await expect(message(page, 'still quick')).toBeInViewport();
  expect(await messages(page).count()).toBeLessThan(MAX_ROWS);
});

test('a list of 1,000 chats can be scrolled to its end with few rows in the document @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await signUpOverHttp(page, server, 'Alice');
  // Fakes only the response of the list, as a thousand registrations would take minutes.
  await page.route('**/api/chatrooms/chats', (route) =>
    route.fulfill({ json: createChatList(1_000) }),
  );
  await page.reload();
  const name = (number: number) => page.getByText(`Robot-${number}`, { exact: true });
  await expect(name(1_000)).toBeVisible();
  const rows = page.locator('[data-chat]');
  await rows.first().hover();
  await scrollUntil(page, 2_000, () => name(1).isVisible());
  expect(await rows.count()).toBeLessThan(MAX_ROWS);
});

function createChatList(count: number): ChatList {
  const currentUserId = randomUUID();
  const chatrooms = Array.from({ length: count }, (_, index): ChatState => {
    const time = new Date(Date.now() - index * 60_000).toISOString();
    return {
      chatId: randomUUID(),
      rev: 1,
      memberRev: 0,
      usernames: [`Robot-${count - index}`],
      isDeletedAccount: false,
      status: 'accepted',
      lastMessage: { content: 'Beep', sender: currentUserId, kind: 'text', seq: 1 },
      currentUserId,
      timestamps: [time],
      activeAt: time,
      unreadMessagesCount: 0,
      readSeq: 1,
    };
  });
  return { chatrooms, currentUsername: 'Alice', volume: 'middle' };
}
