import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HostedServer } from '@parley/testing';
import {
  signInElsewhere,
  signInOverHttp,
  signUpOverHttp,
  sendOverHttp,
} from './support/browser-user.ts';
import { chatRow } from './support/chat.ts';
import { goToChatroom } from './support/shared-chatroom.ts';
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
  for (const device of [page, other]) {
    await device.locator('nav [aria-expanded]').first().click();
    await chatRow(device, 'Alice').click();
  }
  await page.getByRole('button', { name: t('request.block') }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('checkbox').click();
  await confirmation.getByRole('button', { name: t('block.continue') }).click();
  const dialog = page.getByRole('dialog', { name: t('report.title', { name: 'Alice' }) });
  await dialog.getByRole('radio', { name: t('report.reasons.spam') }).click();
  await dialog.getByRole('checkbox', { name: /Münzen/ }).click();
  // The block is repeated, without the report.
  await page.route('**/block', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await dialog.getByRole('button', { name: t('report.submitAndBlock') }).click();
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
  await page.getByRole('button', { name: t('block.unblock') }).click();
  await expect(page.getByRole('region', { name: t('request.label') })).toBeVisible();
  await expect(page.locator('main :focus')).toHaveCount(1);
});
