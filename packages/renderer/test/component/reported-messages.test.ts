import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messagesSeenBy, sendTextAs } from './support/act-as.ts';
import { messageWith, toastWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pressWithKeys, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const menu = page.getByRole('button', { name: t('room.menu') });
const dialog = page.getByRole('dialog', { name: t('report.title', { name: 'Alice' }) });
const submit = dialog.getByRole('button', { name: t('report.submit') });

/** Opens the dialog that reports the partner, with the keyboard. */
async function openReportDialog(): Promise<void> {
  await pressWithKeys(menu);
  await reachWithKeys(page.getByRole('menuitem', { name: t('room.report') }), 'ArrowDown');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toMatchTextContent(t('report.text', { name: 'Alice' }));
}

test('a user reports chosen messages with the keyboard alone', async () => {
  const { server, room } = await openChatOf('Bob', {}, async (memoryServer, id) => {
    await sendMediaAs(memoryServer, 'Alice', id, await createImageFile(40, 30));
    await sendTextAs(memoryServer, 'Alice', id, 'Pay, or else');
    await sendTextAs(memoryServer, 'Bob', id, 'No');
  });
  await expect.element(messageWith('Pay, or else')).toBeVisible();
  await openReportDialog();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(menu).toHaveFocus();

  await openReportDialog();
  await expect.poll(() => dialog.getByRole('checkbox').elements()).toHaveLength(3);
  await pressWithKeys(submit);
  const required = dialog.getByText(t('report.reasonRequired'));
  await expect.element(required).toBeVisible();
  const spam = dialog.getByRole('radio', { name: t('report.reasons.spam') });
  await expect.element(spam).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  const harassment = dialog.getByRole('radio', { name: t('report.reasons.harassment') });
  await expect.element(harassment).toBeChecked();
  await expect.element(required).not.toBeInTheDocument();
  // The newest message comes first.
  for (const name of [/Pay, or else/, new RegExp(t('report.image'))]) {
    await reachWithKeys(dialog.getByRole('checkbox', { name }));
    await userEvent.keyboard(' ');
  }
  await reachWithKeys(dialog.getByRole('textbox', { name: t('report.comment') }));
  await userEvent.keyboard('She does this to everybody.');
  const refused = { code: 'rate_limited', errorMessage: 'Too many requests.' };
  const restore = server.intercept('createReport', () => Response.json(refused, { status: 429 }));
  await pressWithKeys(submit);
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(t('report.limit'));
  restore();
  const sent: unknown[] = [];
  server.intercept('createReport', async (request, next) => {
    sent.push(await request.clone().json());
    return next();
  });
  await pressWithKeys(submit);
  await expect.element(toastWith(t('report.sent'))).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(menu).toHaveFocus();
  const messages = await messagesSeenBy(server, 'Bob', room);
  const reported = messages.filter(
    ({ kind, content }) => kind === 'image' || content.startsWith('Pay'),
  );
  expect(sent).toEqual([
    {
      chatroom: room,
      reason: 'harassment',
      comment: 'She does this to everybody.',
      messageIds: expect.toSatisfy((ids: string[]) => {
        const expected = reported.map(({ _id }) => _id);
        return ids.length === 2 && expected.every((id) => ids.includes(id));
      }),
    },
  ]);
});
