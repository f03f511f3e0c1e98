import { createTranslator, TEST_LANGUAGES, type Translator } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, contentsSeenBy, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith, toastWith } from './support/locators.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pressWithKeys, reachWithKeys } from './support/reach-with-keys.ts';
import { expectPath } from './support/expect-path.ts';
import { noResponse } from './support/no-response.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const t = createTranslator('en');
const dialog = page.getByRole('alertdialog');
const heading = page.getByRole('heading', { level: 1 });

/** Opens the dialog that blocks the partner of the open chatroom, with the keyboard. */
async function openBlockDialog(translate: Translator): Promise<void> {
  await pressWithKeys(page.getByRole('button', { name: translate('room.menu') }));
  const item = page.getByRole('menuitem', { name: translate('room.block') });
  await reachWithKeys(item, 'ArrowDown');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
}

/** Returns a function that returns the paths that the app has opened since. */
function watchPaths(): () => string[] {
  const changes = [vi.spyOn(history, 'pushState'), vi.spyOn(history, 'replaceState')];
  onTestFinished(() => {
    for (const change of changes) change.mockRestore();
  });
  return () =>
    changes.flatMap(({ mock }) =>
      mock.calls.map(([, , url]) => new URL(url ?? '', location.href).pathname),
    );
}

for (const language of TEST_LANGUAGES) {
  const translate = createTranslator(language);
  const viewport = language === 'de' ? { viewport: { width: 360, height: 740 } } : {};

  test(`a chat is blocked with the keyboard without a connection, and unblocked in the settings (${language})`, async () => {
    const { server, room, reload } = await openChatOf('Bob', { language, ...viewport });
    await openBlockDialog(translate);
    await expect.element(dialog).toMatchTextContent(translate('block.text', { name: 'Alice' }));
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: translate('room.menu') })).toHaveFocus();

    const restore = server.intercept('blockPartner', noResponse);
    await openBlockDialog(translate);
    await pressWithKeys(dialog.getByRole('button', { name: translate('request.block') }));
    await expectPath('/chatarea');
    await expect.element(chatRowOf('Alice')).not.toBeInTheDocument();
    await expect.element(heading).toHaveFocus();
    await expect.element(toastWith(translate('block.done', { name: 'Alice' }))).toBeVisible();

    await reload('/settings');
    await expect.element(page.getByText(translate('settings.blockedEmpty'))).toBeVisible();
    restore();
    await expect.element(page.getByRole('link', { name: 'Alice' })).toBeVisible();
    await sendTextAs(server, 'Alice', room, 'Why are you silent?');
    await page.getByRole('link', { name: 'Alice' }).click();
    await expect.element(heading).toHaveTextContent('Alice');
    await expect.element(page.getByText(translate('block.bar', { name: 'Alice' }))).toBeVisible();
    await expect.element(messageWith('Hello Bob!')).toBeVisible();
    expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
    await expect.element(page.getByRole('log')).toBeEmptyDOMElement();
    await expect.element(page.getByRole('textbox')).not.toBeInTheDocument();
    await pressWithKeys(page.getByRole('button', { name: translate('block.unblock') }));
    await expect.element(toastWith(translate('block.undone', { name: 'Alice' }))).toBeVisible();
    await expect.element(messageBox()).toBeVisible();
    if (language === 'en') await expect.element(messageBox()).toHaveFocus();
    const bob = actAs(server, 'Bob');
    await expect.poll(() => bob.call('listBlocked')).toEqual({ blocked: [] });

    await sendTextAs(server, 'Alice', room, 'There you are');
    await expect.element(messageWith('There you are')).toBeVisible();
    expect(page.getByCss('[data-message]').elements()).toHaveLength(2);
    await reload();
    await expect.element(messageWith('There you are')).toBeVisible();
    expect(page.getByCss('[data-message]').elements()).toHaveLength(2);
  });
}

test('an open chat that is blocked on another device leads to the chats', async () => {
  const { server, room } = await openChatOf('Bob');
  const visitedPaths = watchPaths();
  const bob = actAs(server, 'Bob');
  await bob.call('blockPartner', { params: { id: room } });
  await expectPath('/chatarea');
  await expect.element(chatRowOf('Alice')).not.toBeInTheDocument();
  await expect.element(heading).toHaveFocus();
  expect(visitedPaths()).toEqual(['/chatarea']);
  await sendTextAs(server, 'Alice', room, 'Why are you silent?');
  await bob.call('unblockPartner', { params: { id: room } });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  await sendTextAs(server, 'Alice', room, 'There you are');
  await expect.element(chatRowOf('Alice')).toMatchTextContent('There you are');
});

test('a message to a user who has blocked the sender stays at one check mark', async () => {
  const { server, room } = await openChatOf('Alice');
  await actAs(server, 'Bob').call('blockPartner', { params: { id: room } });
  await sendWithEnter('Why are you silent?');
  await expect.element(messageWith('Why are you silent?')).toHaveAttribute('data-state', 'sent');
});

test('a chat that was blocked while the device was offline disappears with its unsent message', async () => {
  const { server, room, browser, reload } = await openChatOf('Bob');
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await sendWithEnter('Written offline');
  await expect.element(messageWith('Written offline')).toBeVisible();
  await actAs(server, 'Bob').call('blockPartner', { params: { id: room } });
  await sendTextAs(server, 'Alice', room, 'Never delivered');
  const visitedPaths = watchPaths();
  browser.setOnline(true);
  await expectPath('/chatarea');
  await expect.element(chatRowOf('Alice')).not.toBeInTheDocument();
  expect(visitedPaths()).toEqual(['/chatarea']);
  await expect.element(page.getByText('Never delivered')).not.toBeInTheDocument();

  const bob = actAs(server, 'Bob');
  await bob.call('unblockPartner', { params: { id: room } });
  await expect.element(chatRowOf('Alice')).toBeVisible();
  browser.setOnline(false);
  await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
  await bob.call('blockPartner', { params: { id: room } });
  browser.setOnline(true);
  await expect.element(chatRowOf('Alice')).not.toBeInTheDocument();
  expect(location.pathname).toBe('/chatarea');
  await reload();
  await expect.element(page.getByText(t('chatList.empty'))).toBeVisible();
  expect(await contentsSeenBy(server, 'Alice', room)).toEqual(['Hello Bob!', 'Never delivered']);
});
