import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageBox } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { readPageStorage } from './support/page-storage.ts';

const t = createTranslator('en');

test('sessions on other devices can be ended one by one or all at once', async () => {
  const server = createServerWith(['Alice']);
  const others = [actAs(server, 'Alice'), actAs(server, 'Alice'), actAs(server, 'Alice')];
  await openApp({ server, user: 'Alice', path: '/settings' });
  const sessions = page.getByRole('region', { name: t('settings.sessions') });
  const rows = sessions.getByRole('listitem');
  await expect.poll(() => rows.elements()).toHaveLength(4);
  expect(sessions.getByText(t('settings.sessionCurrent')).elements()).toHaveLength(1);
  await sessions
    .getByRole('button', { name: /^Log out .*, last active/ })
    .first()
    .click();
  await closeToast(t('settings.sessionEnded'));
  await sessions.getByRole('button', { name: t('settings.sessionEndOthers') }).click();
  await closeToast(t('settings.sessionsEnded'));
  await expect.poll(() => rows.elements()).toHaveLength(1);
  for (const other of others) {
    await expect(other.call('getCurrentUser')).rejects.toMatchObject({ status: 401 });
  }
});

test.each([
  ['becomes visible', document, 'visibilitychange'],
  ['gets the focus', window, 'focus'],
] as const)('the list of sessions is current when the page %s', async (_what, target, event) => {
  const { server } = await openApp({ user: 'Alice', path: '/settings' });
  const sessions = page.getByRole('region', { name: t('settings.sessions') });
  const rows = sessions.getByRole('listitem');
  await expect.poll(() => rows.elements()).toHaveLength(1);
  actAs(server, 'Alice');
  target.dispatchEvent(new Event(event));
  await expect.poll(() => rows.elements()).toHaveLength(2);
});

test('a session that is ended on another device leads to the login and leaves no data', async () => {
  const { server } = await openChatOf('Alice');
  await page.getByRole('button', { name: t('composer.emoji') }).click();
  await page.getByLabelText(t('emoji.searchLabel')).fill('rocket');
  await page.getByRole('gridcell', { name: 'rocket', exact: true }).click();
  await messageBox().fill('a draft of Alice');
  await expect.poll(readPageStorage).toMatch(/1f680/);
  await expect.poll(readPageStorage).toMatch(/a draft of Alice/);
  await actAs(server, 'Alice').call('endOtherSessions');
  await expect.element(page.getByText(t('error.sessionEnded'))).toBeVisible();
  expect(location.pathname).toBe('/');
  await expect.element(page.getByRole('button', { name: t('login.submit') })).toBeVisible();
  await expect.poll(readPageStorage).not.toMatch(/1f680|Alice/);
});
