import { expect, type Locator, type Page } from 'playwright/test';

/** The open room's messages. */
export function messages(page: Page): Locator {
  return page.locator('[data-message]');
}

/** One message of the open room, by its text. */
export function message(page: Page, text: string): Locator {
  return messages(page).filter({ hasText: text });
}

/** The row of a chat in the list, by the partner's name. */
export function chatRow(page: Page, partner: string): Locator {
  return page.locator('[data-chat]').filter({ hasText: partner });
}

/** Where messages are written, in either language. */
export function textBox(page: Page): Locator {
  return page.getByRole('textbox', { name: /^(?:Message|Nachricht)$/ });
}

/** Writes a text and sends it as the width of the window has it done: with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  const box = textBox(page);
  await box.fill(text);
  await box.press('Enter');
  await expect(box).toHaveValue('');
}

/** Scrolls up, page by page, until the room's beginning is in sight. */
export async function scrollToStart(page: Page, onTheWay = async () => {}): Promise<void> {
  const start = page.getByText(/^(?:This is where your chat with|Hier beginnt dein Chat mit)/);
  await messages(page).last().hover();
  await expect(async () => {
    await onTheWay();
    await page.mouse.wheel(0, -500);
    await expect(start).toBeInViewport({ timeout: 250 });
  }).toPass({ intervals: [0] });
}

/** Looks somebody up from the chat list and ends in the new chat or the existing one. */
export async function find(page: Page, username: string): Promise<void> {
  await page.getByRole('link', { name: 'Find a user' }).click();
  await page.getByLabel('Username', { exact: true }).fill(username);
  await page.getByRole('button', { name: 'Create new chatroom' }).click();
  await page.waitForURL(/\/chatarea\/chats\//);
}

/** From the chat list: finds somebody, sends the first message and ends in their new room. */
export async function startChat(page: Page, username: string, text: string): Promise<void> {
  await find(page, username);
  await page.waitForURL('**/new-chatroom/**');
  await say(page, text).catch(async (error: unknown) => {
    // The form may be gone before its box is seen empty.
    if (page.url().includes('new-chatroom')) throw error;
  });
  await page.waitForURL(/\/chatarea\/chats\/[0-9a-f-]{36}$/);
  await expect(message(page, text)).toBeVisible();
}

/** Waits until nothing on the page moves any more, but for what turns for ever. */
export async function stillness(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ effect }) => effect?.getComputedTiming().iterations === Infinity),
  );
}
