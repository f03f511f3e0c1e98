import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { clickRetry } from './support/click-retry.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';

/** A failure after which the client does not repeat a GET request at once. */
const failed = () => new Response(null, { status: 501 });

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const retry = page.getByRole('button', { name: t('app.retry') });

  test(`a list from the device says that it could not be fetched, and is live all the same (${language})`, async () => {
    const { server, reload, room } = await openChatOf('Alice', { language });
    await expect.poll(readPageStorage).toContain('start-facts');
    await expect.poll(readPageStorage).toContain('Hello Bob!');
    const restore = server.intercept('listChats', failed);
    await reload(`/chatarea/chats/${room}`);
    await expect.element(page.getByText(t('chatList.error'))).toBeVisible();
    await expect.element(chatRowOf('Bob')).toBeVisible();
    await sendTextAs(server, 'Bob', room, 'Live without a list');
    await expect.element(messageWith('Live without a list')).toBeVisible();
    await retry.click();
    restore();
    await expect.element(page.getByText(t('chatList.error'))).not.toBeInTheDocument();
    await expect.element(chatRowOf('Bob')).toMatchTextContent('Live without a list');
  });

  test(`a room from the device offers to load newer messages again (${language})`, async () => {
    const { server, browser, reload, room } = await openChatOf('Alice', { language });
    await expect.poll(readPageStorage).toContain('start-facts');
    // The stored chatroom, as the stored list has its last message, too.
    await expect.poll(readPageStorage).toContain('currentUsername');
    browser.loseLiveConnection();
    await sendTextAs(server, 'Bob', room, 'While away');
    // A copy that takes long to read is shown after a request.
    const restore = [
      server.intercept('getChatroom', failed),
      server.intercept('listChanges', failed),
    ];
    await reload(`/chatarea/chats/${room}`);
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
    await expect.element(page.getByText(t('room.outdated'))).toBeVisible();
    await retry.click();
    for (const each of restore) each();
    await expect.element(messageWith('While away')).toBeVisible();
    await expect.element(page.getByText(t('room.outdated'))).not.toBeInTheDocument();
  });

  test(`the banner tells of a network that blocks live updates, and messages still arrive (${language})`, async () => {
    const { server, browser, room } = await openChatOf('Alice', { language });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    browser.setLiveBlocked(true);
    await sendTextAs(server, 'Bob', room, 'Not live');
    const blocked = page.getByText(t('connection.blocked'));
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.advanceTimersByTimeAsync(6_000);
    await expect.element(blocked).toBeVisible();
    await expect.element(messageWith('Not live')).toBeVisible();
    await expect.element(page.getByText(t('connection.reconnecting'))).not.toBeInTheDocument();
    const reconnect = page.getByRole('button', { name: t('connection.retry') });
    await clickRetry(reconnect, () => browser.setLiveBlocked(false));
    await expect.element(blocked).not.toBeInTheDocument();
    await sendTextAs(server, 'Bob', room, 'Live again');
    await expect.element(messageWith('Live again')).toBeVisible();
  });
}

test('the banner of a lost connection stays while the user goes to other screens', async () => {
  const t = createTranslator('en');
  const { browser } = await openChatOf('Alice', { viewport: { width: 390, height: 740 } });
  const banner = page.getByText(t('connection.offline'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  browser.setOnline(false);
  await vi.advanceTimersByTimeAsync(3_000);
  await expect.element(banner).toBeVisible();
  await page.getByRole('link', { name: t('room.back') }).click();
  await expect.element(chatRowOf('Bob')).toBeVisible();
  expect(banner.query(), 'in the list').not.toBeNull();
  await chatRowOf('Bob').click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Bob');
  expect(banner.query(), 'in the room').not.toBeNull();
});
