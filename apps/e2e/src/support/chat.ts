import { expect, type Locator, type Page } from 'playwright/test';
import { acceptAsPartner, receiveRequestsAsPartner } from './browser-user.ts';
import { scrollUntilVisible } from './scroll-until.ts';

/** Returns the messages of the open chatroom. */
export function messages(page: Page): Locator {
  return page.locator('[data-message]');
}

/** Returns a message of the open chatroom by its text. */
export function message(page: Page, text: string): Locator {
  return messages(page).filter({ hasText: text });
}

/** Returns the row of a chat in the chat list by the partner's name. */
export function chatRow(page: Page, partner: string): Locator {
  return page.locator('[data-chat]').filter({ hasText: partner });
}

/** Returns the text box for messages, in any language. */
export function textBox(page: Page): Locator {
  return page.getByRole('textbox', { name: /^(?:Message|Nachricht)$/ });
}

/** Types a text and sends it with Enter, which needs a wide window. */
export async function sendText(page: Page, text: string): Promise<void> {
  const box = textBox(page);
  await box.fill(text);
  await box.press('Enter');
  await expect(box).toHaveValue('');
}

/** Scrolls up step by step until the beginning of the chatroom is visible. */
export async function scrollToStart(page: Page, onStep = async () => {}): Promise<void> {
  const start = page.getByText(/^(?:This is where your chat with|Hier beginnt dein Chat mit)/);
  await messages(page).last().hover();
  await scrollUntilVisible(start, -500, onStep);
}

/** Searches for a user from the chat list. Ends in the new or the existing chatroom. */
export async function searchUser(page: Page, username: string): Promise<void> {
  await page.getByRole('link', { name: 'Find by name' }).first().click();
  await page.getByLabel('Username', { exact: true }).fill(username);
  await page.getByRole('button', { name: 'Create new chatroom' }).click();
  await page.waitForURL(/\/chatarea\/chats\//);
}

/**
 * Searches for a user from the chat list and sends the first message. That user accepts it, unless it is to stay a
 * message request. Ends in the new chatroom.
 */
export async function startChat(
  page: Page,
  username: string,
  text: string,
  { isRequest = false } = {},
): Promise<void> {
  if (isRequest) await receiveRequestsAsPartner(page, username);
  await searchUser(page, username);
  await page.waitForURL('**/new-chatroom/**');
  await sendText(page, text).catch(async (error: unknown) => {
    // The form may disappear before its text box is seen empty.
    if (page.url().includes('new-chatroom')) throw error;
  });
  await page.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
  await expect(message(page, text)).toBeVisible();
  if (!isRequest) await acceptAsPartner(page, username, chatroomIdOf(page));
}

/** Returns the id of the chatroom that a page shows. */
export function chatroomIdOf(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
