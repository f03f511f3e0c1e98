import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, sendTextAs } from './support/act-as.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

test('new messages and toasts are announced to screen readers', async () => {
  const { server, room, reload } = await openChatOf('Bob');
  const log = page.getByRole('log', { name: t('room.announced') });
  await expect.element(log).toHaveAttribute('aria-live', 'polite');
  await expect.element(log).toHaveTextContent('');
  await sendTextAs(server, 'Alice', room, 'Do you hear me?');
  const text = t('room.announcement', { name: 'Alice', text: 'Do you hear me?' });
  await expect.element(log).toHaveTextContent(text);
  await sendTextAs(server, 'Alice', room, 'And now?');
  await expect.poll(() => log.getByRole('paragraph').elements()).toHaveLength(2);

  await reload('/settings');
  await page.getByRole('radio', { name: t('settings.volumeLoud') }).click();
  const alert = page.getByRole('alert').filter({ hasText: t('settings.updated') });
  await expect.element(alert).toBeVisible();
  expect(alert.element().matches('.Toastify__toast')).toBe(true);
});

test('messages that were missed while offline are announced, including those of the open chatroom', async () => {
  const { browser, room, server } = await openChatOf('Bob');
  const log = page.getByRole('log', { name: t('room.announced') });
  await expect.element(log).toHaveTextContent('');

  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await sendTextAs(server, 'Alice', room, 'Are you there?');
  await createChatBetween(server, ['Carla', 'Bob'], 'Hi Bob');
  // The first request for the changes of the chatrooms fails, too.
  let failures = 0;
  const restore = server.intercept('listChanges', () => {
    failures += 1;
    restore();
    return noResponse();
  });
  browser.setOnline(true);
  await expect.element(log).toMatchTextContent('Alice: Are you there?');
  await expect.element(log).toMatchTextContent('Carla: Hi Bob');
  expect(log.getByRole('paragraph').elements()).toHaveLength(2);
  expect(failures).toBe(1);
});
