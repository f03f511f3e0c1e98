import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { contentsSeenBy } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { messageRow } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

test('a rejected message is marked as failed and can be retried or discarded', async () => {
  const { server, room, reload } = await openChatOf('Alice');
  const refusal = { code: 'invalid_request', errorMessage: 'No.' };
  const restore = server.intercept('sendMessage', () => Response.json(refusal, { status: 400 }));
  for (const text of ['Refused once', 'Refused for ever']) {
    await messageBox().fill(text);
    await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
  }
  await expect.element(messageWith('Refused for ever')).toHaveAttribute('data-state', 'failed');
  await reload();
  await expect.element(messageWith('Refused once')).toHaveAttribute('data-state', 'failed');
  const row = (text: string) => messageRow(messageWith(text));
  await expect.element(row('Refused once').getByText(t('message.failed')).last()).toBeVisible();

  await row('Refused for ever')
    .getByRole('button', { name: t('message.discard') })
    .click();
  await expect.element(messageWith('Refused for ever')).not.toBeInTheDocument();
  restore();
  await row('Refused once')
    .getByRole('button', { name: t('message.retry') })
    .click();
  await expect.element(messageWith('Refused once')).toHaveAttribute('data-state', 'sent');
  expect(await contentsSeenBy(server, 'Bob', room)).toEqual(['Hello Bob!', 'Refused once']);
});
