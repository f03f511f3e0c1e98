import type { MemoryServer } from '@parley/memory-server';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, connectAs, createChatBetween, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { emulateDevice } from './support/media-emulation.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const NARROW = { width: 360, height: 740 };

type Delivery = 'sent' | 'delivered' | 'read';

/** Returns up to which message Alice knows that Bob has received and read them. */
async function readReceipt(server: MemoryServer, room: string) {
  const { chat } = await actAs(server, 'Alice').call('getChatroom', { params: { id: room } });
  const { partnerDeliveredSeq, partnerReadSeq } = chat;
  return { partnerDeliveredSeq, partnerReadSeq };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  async function expectTicks(shown: Locator, delivery: Delivery): Promise<void> {
    const ticks = shown.getByCss('[data-delivery]');
    await expect.element(ticks).toHaveAttribute('data-delivery', delivery);
    await expect.element(ticks).toMatchTextContent(t(`message.${delivery}`));
  }

  test(`the ticks of a message follow what the partner has received and read (${language})`, async () => {
    const chat = await openChatOf('Alice', { language, reducedMotion: true });
    const { server, room, browser, reload } = chat;
    const bob = actAs(server, 'Bob');
    const check = async (text: string, delivery: Delivery) => {
      await expectTicks(messageWith(text), delivery);
      await expectTicks(chatRowOf('Bob'), delivery);
    };
    await sendWithEnter('Are you there?');
    await check('Are you there?', 'sent');
    await bob.call('reportDelivered', { body: { rooms: { [room]: 2 } } });
    await check('Are you there?', 'delivered');
    await sendWithEnter('And this?');
    await check('And this?', 'sent');
    await bob.call('reportDelivered', { body: { rooms: { [room]: 3 } } });
    await check('And this?', 'delivered');

    await bob.call('markAsRead', { params: { id: room } });
    await check('And this?', 'read');
    await expectTicks(messageWith('Hello Bob!'), 'read');
    await expectNoAxeViolations('the ticks');

    // The page shows the last state while it is offline.
    browser.setOnline(false);
    await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
    await sendTextAs(server, 'Alice', room, 'While you were away');
    await bob.call('markAsRead', { params: { id: room } });
    await expectTicks(messageWith('And this?'), 'read');
    browser.setOnline(true);
    await check('While you were away', 'read');

    await openMessageMenu(messageWith('While you were away'));
    await menuItem(t('message.details')).click();
    const dialog = page.getByRole('dialog');
    await expect.element(dialog).toMatchTextContent(t('message.read'));
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();

    await reload();
    await check('While you were away', 'read');
    await page.viewport(NARROW.width, NARROW.height);
    await expectTicks(messageWith('While you were away'), 'read');
  });

  test(`a partner sees in the header and the chat list who is typing, until the message arrives (${language})`, async () => {
    const { server, room } = await openChatOf('Alice', { language });
    const typing = () => page.getByText(t('room.typing'), { exact: true });
    const bob = connectAs(server, 'Bob');

    // It is shown for seconds only.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    bob?.signal('typing', { chatroom: room });
    await expect.poll(() => typing().elements()).toHaveLength(2);
    await expect.element(chatRowOf('Bob')).toMatchTextContent(t('room.typing'));
    await emulateDevice({ colorScheme: 'dark' });
    expect(typing().elements()).toHaveLength(2);
    await page.viewport(NARROW.width, NARROW.height);
    const visible = () =>
      typing()
        .elements()
        .filter((each) => each.checkVisibility());
    await expect.poll(visible).toHaveLength(1);

    await sendTextAs(server, 'Bob', room, 'Hi');
    await expect.element(messageWith('Hi')).toBeVisible();
    await expect.element(typing()).not.toBeInTheDocument();
  });

  test(`a user who does not share that they are typing is not told either (${language})`, async () => {
    const { server, room, path } = await openChatOf('Alice', { language });
    const bob = connectAs(server, 'Bob');
    await openApp({ server, user: 'Alice', path: '/settings', language });
    await page.getByRole('checkbox', { name: t('settings.sharesTyping') }).click();
    await closeToast(t('settings.updated'));
    const { reload } = await openApp({ server, user: 'Alice', path, language });
    bob?.signal('typing', { chatroom: room });
    // It arrives later.
    await createChatBetween(server, ['Carla', 'Alice'], 'Hi Alice');
    await expect.element(chatRowOf('Carla')).toMatchTextContent('Hi Alice');
    expect(page.getByText(t('room.typing'), { exact: true }).elements()).toEqual([]);
    await reload('/settings');
    await expect
      .element(page.getByRole('checkbox', { name: t('settings.sharesTyping') }))
      .not.toBeChecked();
  });
}

test('a message is delivered once the chat list shows it, and read once the chatroom does', async () => {
  const { server, room } = await openChatOf('Alice');
  await openApp({ server, user: 'Bob' });
  await expect.element(chatRowOf('Alice')).toMatchTextContent('Hello Bob!');
  await expect
    .poll(() => readReceipt(server, room))
    .toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 0 });
  await sendTextAs(server, 'Alice', room, 'And this?');
  await expect
    .poll(() => readReceipt(server, room))
    .toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 0 });
  await chatRowOf('Alice').click();
  await expect
    .poll(() => readReceipt(server, room))
    .toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 2 });
});

test('a message that was sent while the partner was offline is read after the reconnect', async () => {
  const { server, room, browser } = await openChatOf('Bob');
  await expect.poll(() => readReceipt(server, room)).toMatchObject({ partnerReadSeq: 1 });
  browser.setOnline(false);
  await sendTextAs(server, 'Alice', room, 'In the tunnel?');
  expect(await readReceipt(server, room)).toEqual({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
  browser.setOnline(true);
  await expect
    .poll(() => readReceipt(server, room))
    .toEqual({ partnerDeliveredSeq: 2, partnerReadSeq: 2 });
});

test('the partner is told that a user is typing', async () => {
  const { server, room } = await openChatOf('Bob');
  const typing: unknown[] = [];
  connectAs(server, 'Alice', ({ name, payload }) => {
    if (name === 'typing') typing.push(payload);
  });
  await messageBox().fill('Hi');
  await expect.poll(() => typing).toEqual([{ chatroom: room }]);
  await expect
    .element(page.getByText(createTranslator('en')('room.typing'), { exact: true }))
    .not.toBeInTheDocument();
});
