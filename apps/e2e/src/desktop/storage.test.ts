import type { Page } from 'playwright/test';
import { chatRow, message, startChat, textBox } from '../support/chat.ts';
import { arrive } from '../support/person.ts';
import { readDatabase } from '../support/read-database.ts';
import { expect as patient, test, type NewPage } from '../support/test.ts';
import { withBridge } from './support/bridge.ts';

/** Two browsers and a server of their own start for each test. Milliseconds. */
const expect = patient.configure({ timeout: 30_000 });

test.setTimeout(150_000);

/** Lets Bob, in the desktop app, write with Alice. */
async function openRoom(
  page: Page,
  server: Parameters<typeof arrive>[1],
  newPage: NewPage,
): Promise<void> {
  await arrive(await newPage(), server, 'Alice');
  await arrive(page, server, 'Bob');
  await startChat(page, 'alice', 'Hello Alice!');
}

/** Waits until a draft is stored, encrypted. */
async function expectSealedDraft(page: Page): Promise<void> {
  await expect.poll(() => readDatabase(page, 'drafts')).toContain('sealed');
}

test('what the page stores is encrypted with its key, and gone under another', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page, { storageKey: 1 });
  await openRoom(page, server, newPage);
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

test('without a keyring the page stores nothing', async ({ server, newPage }) => {
  const page = await newPage();
  await withBridge(page, { storageKey: null });
  await openRoom(page, server, newPage);
  await textBox(page).fill('A secret draft');
  await textBox(page).press('Enter');
  await expect(message(page, 'A secret draft')).toBeVisible();
  await textBox(page).fill('Another');
  await page.reload();
  await expect(message(page, 'A secret draft')).toBeVisible();
  await expect(textBox(page)).toHaveValue('');
  expect(await readDatabase(page)).toBe('');
});

test('a keyring that stays locked keeps nothing but the storage waiting', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  const main = await withBridge(page, { isKeyringLocked: true });
  await openRoom(page, server, newPage);
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

test('without the server the page shows what was there last, from its encrypted storage', async ({
  server,
  newPage,
}) => {
  const page = await newPage();
  await withBridge(page);
  await openRoom(page, server, newPage);
  await expect(chatRow(page, 'Alice')).toContainText('Hello Alice!');
  await expect.poll(() => readDatabase(page, 'rooms')).toContain('sealed');
  // The list was kept before it had this chat: what is encrypted shows only that it is not written any more.
  let before = '';
  const isListKept = async (): Promise<boolean> => {
    const now = await readDatabase(page, 'chats');
    const isSame = now !== '' && now === before;
    before = now;
    return isSame;
  };
  await expect.poll(isListKept, { intervals: [2_000] }).toBe(true);
  expect(await readDatabase(page)).not.toContain('Hello Alice!');
  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await expect(message(page, 'Hello Alice!')).toBeVisible();
  await expect(chatRow(page, 'Alice')).toContainText('Hello Alice!');
});
