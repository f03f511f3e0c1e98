import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { messageWith, messageBox, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

test('a first message that fails stays in the text box and is sent only once', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', path: '/chatarea/chats/new-chatroom/Bob' });
  const restore = server.intercept('createChatroom', noResponse);
  await messageBox().fill('Hello Bob!\n\n  \nHow are you?');
  await userEvent.keyboard('{Enter}');
  await expect.element(toastWith(t('newChatroom.failed'))).toBeVisible();
  await expect.element(messageBox()).toHaveValue('Hello Bob!\n\n  \nHow are you?');
  restore();
  await userEvent.keyboard('{Enter}');
  await expect.element(messageWith('Hello Bob!')).toMatchTextContent('How are you?');
  expect(location.pathname).toMatch(/^\/chatarea\/chats\/[0-9a-f-]{36}$/);
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  const { chatrooms } = await actAs(server, 'Bob').call('listChats');
  expect(chatrooms).toMatchObject([{ lastMessage: { content: 'Hello Bob!\nHow are you?' } }]);
});

test('a first message over the daily limit says that the limit is reached', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', path: '/chatarea/chats/new-chatroom/Bob' });
  const refusal = { code: 'quota_messages', errorMessage: 'No.' };
  server.intercept('createChatroom', () => Response.json(refusal, { status: 403 }));
  await messageBox().fill('Hello Bob!');
  await userEvent.keyboard('{Enter}');
  await expect.element(toastWith(t('composer.quotaMessages'))).toBeVisible();
  await expect.element(messageBox()).toHaveValue('Hello Bob!');
});

test('a first message to an unknown user shows an error', async () => {
  await openApp({ user: 'Alice', path: '/chatarea/chats/new-chatroom/nobody' });
  await messageBox().fill('Hello?');
  await userEvent.keyboard('{Enter}');
  await expect.element(toastWith(t('newChatroom.notFound'))).toBeVisible();
});

for (const language of TEST_LANGUAGES) {
  test(`a first message to deletedUser is rejected, and the text box is cleared (${language})`, async () => {
    const translate = createTranslator(language);
    const viewport = { width: 390, height: 740 };
    const path = '/chatarea/chats/new-chatroom/deletedUser';
    const { server } = await openApp({ user: 'Alice', language, path, viewport });
    let requests = 0;
    server.intercept('createChatroom', (_, next) => {
      requests += 1;
      return next();
    });
    await messageBox().fill('Hello?');
    await page.getByRole('button', { name: translate('composer.send'), exact: true }).click();
    const toast = toastWith(translate('room.partnerDeleted'));
    await expect.element(toast).toBeVisible();
    await expect.element(messageBox()).toHaveValue('');
    expect(requests).toBe(0);

    // The toast is above the text box and never covers it, however large the box is.
    await messageBox().fill('One line\nand another\nand one more\nand the last');
    const distance = () => {
      const { bottom } = toast.element().getBoundingClientRect();
      return messageBox().element().getBoundingClientRect().top - bottom;
    };
    await expect.poll(distance).toBeGreaterThanOrEqual(0);
    await expect.poll(distance).toBeLessThan(100);
  });
}
