import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { contentsSeenBy } from './support/act-as.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');
const german = createTranslator('de');

test('a rejected message is marked as failed and can be retried or discarded', async () => {
  const { server, room, reload } = await openChatOf('Alice', { language: 'de' });
  const refusal = { code: 'invalid_request', errorMessage: 'No.' };
  const restore = server.intercept('sendMessage', () => Response.json(refusal, { status: 400 }));
  for (const text of ['Refused once', 'Refused for ever']) {
    await messageBox().fill(text);
    await page.getByRole('button', { name: german('composer.send'), exact: true }).click();
  }
  await expect.element(messageWith('Refused for ever')).toHaveAttribute('data-state', 'failed');
  await reload();
  await expect.element(messageWith('Refused once')).toHaveAttribute('data-state', 'failed');
  const row = (text: string) => messageRow(messageWith(text));
  await expect
    .element(row('Refused once').getByText(german('message.failed')).last())
    .toBeVisible();

  // The text and both buttons share a line on a phone, in the language in which they are longer.
  await page.viewport(360, 740);
  const parts = [german('message.failed'), german('message.retry'), german('message.discard')];
  const centers = parts.map((text) => {
    const part = row('Refused once').getByText(text).last();
    const { top, bottom } = part.element().getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  });
  expect(new Set(centers).size).toBe(1);
  await page.viewport(1280, 800);

  await row('Refused for ever')
    .getByRole('button', { name: german('message.discard') })
    .click();
  await expect.element(messageWith('Refused for ever')).not.toBeInTheDocument();
  restore();
  await row('Refused once')
    .getByRole('button', { name: german('message.retry') })
    .click();
  await expect.element(messageWith('Refused once')).toHaveAttribute('data-state', 'sent');
  expect(await contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob!', 'Refused once']);
});

test('a message that is refused for a cause that the user can remove names it', async () => {
  const { server } = await openChatOf('Alice');
  const publicUrl = 'https://chat.example.org';
  const refusal = { code: 'foreign_origin', errorMessage: 'No.', publicUrl };
  server.intercept('sendMessage', () => Response.json(refusal, { status: 403 }));
  await messageBox().fill('Refused here');
  await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
  await expect.element(toastWith(t('cause.otherAddress', { url: publicUrl }))).toBeVisible();
  await expect.element(messageWith('Refused here')).toHaveAttribute('data-state', 'failed');
});
