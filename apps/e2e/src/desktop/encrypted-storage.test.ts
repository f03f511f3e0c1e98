import type { Page } from 'playwright/test';
import { chatRow, message, startChat, textBox } from '../support/chat.ts';
import { signUpOverHttp } from '../support/browser-user.ts';
import { readDatabase } from '../support/read-database.ts';
import { expect as baseExpect, test, type NewPage } from '../support/test.ts';
import { withBridge } from './support/bridge.ts';

// Each test starts two browsers and its own server, which takes time.
const expect = baseExpect.configure({ timeout: 30_000 });

test.setTimeout(150_000);

/** Signs Bob up on the given page and opens a chatroom with Alice there. */
async function openChatWithMessages(
  page: Page,
  server: Parameters<typeof signUpOverHttp>[1],
  newPage: NewPage,
): Promise<void> {
  await signUpOverHttp(await newPage(), server, 'Alice');
  await signUpOverHttp(page, server, 'Bob');
  await startChat(page, 'alice', 'Hello Alice!');
}

/** Waits until an encrypted draft is stored. */
async function expectSealedDraft(page: Page): Promise<void> {
  await expect.poll(() => readDatabase(page, 'drafts')).toContain('sealed');
}

test('the page encrypts its storage with its key and erases it if the key has changed', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page, { storageKey: 1 });
  await openChatWithMessages(page, server, newPage);
  await textBox(page).fill('A secret draft');
  await expectSealedDraft(page);
  expect(await readDatabase(page)).not.toMatch(/secret|draft/i);
  await page.reload();
  await expect(textBox(page)).toHaveValue('A secret draft');

  await withBridge(page, { storageKey: 2 });
  await page.reload();
  await expect(message(page, 'Hello Alice!')).toBeVisible();
  await textBox(page).fill('Another');
  await expectSealedDraft(page);
  await page.reload();
  await expect(textBox(page)).toHaveValue('Another');
});

test('only the storage waits for a locked keyring', async ({ server, newPage }) => {
  const page = await newPage();
  const main = await withBridge(page, { isKeyringLocked: true });
  await openChatWithMessages(page, server, newPage);
  await textBox(page).fill('Sent while it is locked');
  await textBox(page).press('Enter');
  await expect(message(page, 'Sent while it is locked')).toBeVisible();
  await textBox(page).fill('Written while it is locked');
  expect(await readDatabase(page)).toBe('');
  await main.unlockKeyring();
  await expectSealedDraft(page);
  await withBridge(page);
  await page.reload();
  await expect(textBox(page)).toHaveValue('Written while it is locked');
});

test('without the server the page shows the last state from its encrypted storage @long', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page);
  await openChatWithMessages(page, server, newPage);
  await expect(chatRow(page, 'Alice')).toContainText('Hello Alice!');
  await expect.poll(() => readDatabase(page, 'rooms')).toContain('sealed');
  // Waits until the stored chat list no longer changes. It is encrypted, so the test cannot check for this chat.
  let previous = '';
  const isListStable = async (): Promise<boolean> => {
    const current = await readDatabase(page, 'chats');
    const isSame = current !== '' && current === previous;
    previous = current;
    return isSame;
  };
  await expect.poll(isListStable, { intervals: [2_000] }).toBe(true);
  expect(await readDatabase(page)).not.toContain('Hello Alice!');
  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await expect(message(page, 'Hello Alice!')).toBeVisible();
  await expect(chatRow(page, 'Alice')).toContainText('Hello Alice!');
});
