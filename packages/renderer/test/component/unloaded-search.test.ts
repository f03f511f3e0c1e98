import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { searchResults } from '../../src/features/chat-list/search/load-search-results.ts';
import { messageBox } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

test('a search whose code cannot be loaded leaves the open chatroom as it is', async () => {
  await page.viewport(1280, 800);
  const { server } = await openChatOf('Alice');
  await userEvent.fill(messageBox(), 'Not sent yet');
  const failed = new TypeError('Failed to fetch dynamically imported module');
  const load = vi.spyOn(searchResults, 'load').mockRejectedValue(failed);
  server.intercept('getConfig', () => new Response(null, { status: 503 }));
  await userEvent.fill(page.getByRole('searchbox').first(), 'Bob');
  await expect.element(page.getByText(t('search.failed'))).toBeVisible();
  await expect.element(messageBox()).toHaveValue('Not sent yet');
  const retry = page.getByRole('button', { name: t('app.retry') });
  await retry.click();
  await expect.poll(() => load.mock.calls.length).toBe(2);
  await expect.element(page.getByText(t('search.failed'))).toBeVisible();
  load.mockRestore();
  await retry.click();
  await expect.element(page.getByRole('heading', { name: t('search.chats') })).toBeVisible();
  await expect.element(messageBox()).toHaveValue('Not sent yet');
});
