import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HostedServer } from '@parley/testing';
import {
  signInElsewhere,
  signInOverHttp,
  signUpOverHttp,
  sendOverHttp,
} from './support/browser-user.ts';
import { chatRow, chatroomIdOf, sendText } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { focusWithKeyboard, pressWithKeyboard } from './support/keyboard.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf } from './support/texts.ts';

/** Returns the reason, the comment and the texts of each report. */
function readReports({ dataDir }: HostedServer): unknown[] {
  const db = new DatabaseSync(join(dataDir, 'parley.db'), { readOnly: true });
  const reports = db.prepare('select id, reason, comment from reports order by created_at').all();
  const messages = db.prepare(
    'select kind, content from report_messages where report_id = ? order by position',
  );
  const found = reports.map(({ id, reason, comment }) => {
    const sent = messages
      .all(String(id))
      .map(({ kind, content }) => `${String(kind)} ${String(content)}`);
    return { reason, comment, messages: sent };
  });
  db.close();
  return found;
}

test('a user reports chosen messages with the keyboard alone', async ({ server, newPage }) => {
  const t = createTranslator('en');
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = bob;
  await sendFile(alice.page, chatroomIdOf(page), 'image', createPng(40, 30));
  await sendText(alice.page, 'Pay, or else');
  await sendText(page, 'No');
  const menu = page.getByRole('button', { name: t('room.menu') });
  const dialog = page.getByRole('dialog', { name: t('report.title', { name: 'Alice' }) });
  const submit = dialog.getByRole('button', { name: t('report.submit') });
  const open = async () => {
    await pressWithKeyboard(page, menu);
    await focusWithKeyboard(
      page,
      page.getByRole('menuitem', { name: t('room.report') }),
      'ArrowDown',
    );
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText(t('report.text', { name: 'Alice' }));
  };

  await open();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();

  await open();
  await expect(dialog.getByRole('checkbox')).toHaveCount(3);
  await pressWithKeyboard(page, submit);
  await expect(dialog.getByText(t('report.reasonRequired'))).toBeVisible();
  const spam = dialog.getByRole('radio', { name: t('report.reasons.spam') });
  await expect(spam).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const harassment = dialog.getByRole('radio', { name: t('report.reasons.harassment') });
  await expect(harassment).toBeChecked();
  await expect(dialog.getByText(t('report.reasonRequired'))).toHaveCount(0);
  // The newest message comes first.
  for (const name of [/Pay, or else/, new RegExp(t('report.image'))]) {
    await focusWithKeyboard(page, dialog.getByRole('checkbox', { name }));
    await page.keyboard.press('Space');
  }
  await focusWithKeyboard(page, dialog.getByRole('textbox', { name: t('report.comment') }));
  await page.keyboard.type('She does this to everybody.');
  const refused = { code: 'rate_limited', errorMessage: 'Too many requests.' };
  await page.route('**/api/reports', (route) => route.fulfill({ status: 429, json: refused }), {
    times: 1,
  });
  await pressWithKeyboard(page, submit);
  await expect(dialog.getByRole('alert')).toHaveText(t('report.limit'));
  await pressWithKeyboard(page, submit);
  await expect(page.getByText(t('report.sent'))).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  expect(readReports(server)).toEqual([
    {
      reason: 'harassment',
      comment: 'She does this to everybody.',
      messages: [expect.stringMatching(/^image /), 'text Pay, or else'],
    },
  ]);
});

test('a request is reported and blocked in one go, on all devices @long', async ({
  server,
  newPage,
}) => {
  const t = createTranslator('de');
  const options = { locale: localeOf('de'), viewport: { width: 360, height: 740 } };
  const [alicePage, page] = [await newPage(options), await newPage(options)];
  await signInOverHttp(alicePage, server, 'Alice', 'de');
  const bob = await signUpOverHttp(page, server, 'Bob', 'de');
  const other = await signInElsewhere(await newPage(options), bob);
  const room = await sendOverHttp(alicePage, 'Bob', 'Günstige Münzen!', { isRequest: true });
  for (const device of [page, other]) await chatRow(device, 'Alice').click();
  await page.getByRole('button', { name: t('request.block') }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('checkbox').click();
  await confirmation.getByRole('button', { name: t('block.continue') }).click();
  const dialog = page.getByRole('dialog', { name: t('report.title', { name: 'Alice' }) });
  await dialog.getByRole('radio', { name: t('report.reasons.spam') }).click();
  await dialog.getByRole('checkbox', { name: /Münzen/ }).click();
  // The report has arrived, so only the block is repeated.
  await page.route('**/block', (route) => route.fulfill({ status: 503 }), { times: 1 });
  const submit = dialog.getByRole('button', { name: t('report.submitAndBlock') });
  await submit.click();
  await expect(dialog.getByRole('alert')).toHaveText(t('request.failed'));
  await submit.click();
  for (const device of [page, other]) {
    await expect(device).toHaveURL((url) => url.pathname === '/chatarea');
    await expect(device.getByText(t('chatList.empty'))).toBeVisible();
    await expect(device.getByRole('heading', { level: 1 })).toBeFocused();
  }
  await expect(page.getByText(t('block.done', { name: 'Alice' }))).toBeVisible();
  expect(readReports(server)).toEqual([
    { reason: 'spam', comment: '', messages: ['text Günstige Münzen!'] },
  ]);

  await goToChatroom(page, `/chatarea/chats/${room}`);
  await page.getByRole('button', { name: t('settings.unblock') }).click();
  await expect(page.getByRole('region', { name: t('request.label') })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
