import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';
import { noResponse } from './support/no-response.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const field = page.getByLabelText(t('findUser.username'), { exact: true });
  const search = async (name: string) => {
    await field.fill(name);
    await page.getByRole('button', { name: t('findUser.submit') }).click();
  };

  test(`searching for a user shows the result (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const { reload } = await openApp({ server, user: 'Alice', language });
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect.element(heading).toHaveTextContent(t('findUser.title'));
    await expect.element(field).toHaveFocus();

    let lookups = 0;
    const restoreCounted = server.intercept('findUser', (_, next) => {
      lookups += 1;
      return next();
    });
    await search('   ');
    await closeToast(t('findUser.required'));
    await search('\u200b\u3164');
    await closeToast(t('findUser.required'));
    await search(' 😀 ');
    await closeToast(t('findUser.short', { min: 2 }));
    expect(lookups).toBe(0);
    await search('nobody');
    await closeToast(t('findUser.notFound'));
    expect(lookups).toBe(1);
    restoreCounted();
    await search(' ALICE ');
    await closeToast(t('findUser.self'));
    await expectPath('/chatarea/exist');

    const restoreFailing = server.intercept('findUser', () => new Response(null, { status: 500 }));
    await search('bob');
    await closeToast(t('findUser.failed'));
    restoreFailing();
    const restoreOffline = server.intercept('findUser', noResponse);
    await search('bob');
    await closeToast(`${t('findUser.failed')} ${t('error.offline')}`);
    await expect.element(page.getByCss('.Toastify__toast')).not.toBeInTheDocument();
    await expect.element(field).toHaveValue('bob');
    restoreOffline();

    await page.getByRole('link', { name: t('findUser.close') }).click();
    await expectPath('/chatarea');
    await page
      .getByRole('link', { name: t('findUser.open') })
      .first()
      .click();
    await search(' bob ');
    await expectPath('/chatarea/chats/new-chatroom/Bob');
    await expect.element(page.getByRole('heading', { name: t('newChatroom.title') })).toBeVisible();
    await expect.element(page.getByText(t('newChatroom.to', { name: 'Bob' }))).toBeVisible();

    const room = await createChatBetween(server, ['Alice', 'Bob']);
    await reload('/chatarea/exist');
    await search('BOB');
    await closeToast(t('findUser.already', { name: 'Bob' }));
    await expectPath(`/chatarea/chats/${room}`);
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
  });

  test(`a hidden user looks like an unknown one, except to those who share a chat (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob'], language);
    await actAs(server, 'Alice').call('changeSettings', { body: { isDiscoverable: false } });
    await openApp({ server, user: 'Bob', path: '/chatarea/exist', language });
    for (const name of ['Alice', 'nobody']) {
      await search(name);
      await closeToast(t('findUser.notFound'));
    }
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    await search('Alice');
    await expectPath(`/chatarea/chats/${room}`);
  });
}
