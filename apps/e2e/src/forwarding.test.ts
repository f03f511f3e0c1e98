import type { Locator } from 'playwright/test';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { message, messages, sendText, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { clickAll } from './support/click-all.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const t = createTranslator('en');

/** Opens the dialog to forward a message with the message's menu. */
async function openForwardDialog(bubble: Locator): Promise<Locator> {
  const page = bubble.page();
  const item = page.getByRole('menuitem', { name: t('message.forward'), exact: true });
  const dialog = page.getByRole('dialog', { name: t('forward.title') });
  // A menu closes when the list scrolls or an earlier dialog returns the focus.
  await expect(async () => {
    if (await dialog.isVisible()) return;
    if (!(await item.isVisible())) {
      await bubble.click({ button: 'right', position: { x: 12, y: 8 } });
    }
    await clickAll(item);
    expect(await dialog.isVisible()).toBe(true);
  }).toPass();
  return dialog;
}

function target(dialog: Locator, name: string): Locator {
  return dialog.getByRole('option', { name, exact: true });
}

async function forward(bubble: Locator, ...names: readonly string[]): Promise<void> {
  const dialog = await openForwardDialog(bubble);
  for (const name of names) await target(dialog, name).click();
  await dialog.getByRole('button', { name: t('forward.send'), exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

test('a forwarded image reaches a third user, without naming its source', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const carla = await signInOverHttp(await newPage(), server, 'Carla');
  const carlaChatroom = `/chatarea/chats/${await sendOverHttp(alice.page, 'Carla', 'Hello Carla!')}`;
  await goToChatroom(carla.page, carlaChatroom);
  await sendFile(bob.page, room, 'image', createPng(80, 60));
  const image = messages(alice.page).filter({ has: alice.page.locator('[data-image]') });
  await expect(image.locator('img[data-state="ready"]')).toBeVisible();
  await forward(image, 'Carla');
  const received = messages(carla.page).filter({ has: carla.page.locator('[data-image]') });
  await expect(received).toContainText(t('message.forwarded'));
  await expect(received.locator('img[data-state="ready"]')).toBeVisible();
  await expect(carla.page.getByText('Bob')).toHaveCount(0);
});

test('an edited text is no longer marked as forwarded @long', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const mark = t('message.forwarded');
  await forward(message(page, HELLO), 'Bob');
  await expect(message(bob.page, HELLO)).toHaveCount(2);
  await expect(message(bob.page, HELLO).last()).toContainText(mark);
  await message(page, HELLO)
    .last()
    .click({ button: 'right', position: { x: 12, y: 8 } });
  await page.getByRole('menuitem', { name: t('message.edit'), exact: true }).click();
  await sendText(page, 'My own words');
  await expect(message(bob.page, 'My own words')).toBeVisible();
  await expect(message(bob.page, 'My own words')).not.toContainText(mark);
  await expect(message(page, 'My own words')).not.toContainText(mark);
});

test('the dialog offers only accepted chats, finds them by name and limits their number @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const names = ['Dora', 'Emil', 'Fred', 'Gina', 'Hans', 'Ivan'];
  for (const name of names) {
    await registerOverHttp(server, name);
    await sendOverHttp(page, name, `Hello ${name}!`);
  }
  const kurt = await signInOverHttp(await newPage(), server, 'Kurt');
  await sendOverHttp(kurt.page, 'Alice', 'Let me in', { isRequest: true });

  const dialog = await openForwardDialog(message(page, HELLO));
  const options = dialog.getByRole('option');
  await expect(options).toHaveText([...names.toReversed(), 'Bob']);
  const send = dialog.getByRole('button', { name: t('forward.send'), exact: true });
  await expect(send).toBeDisabled();

  const search = dialog.getByRole('combobox');
  await search.fill('zzz');
  await expect(options).toHaveCount(0);
  await expect(dialog.getByText(t('forward.none'))).toBeVisible();
  await search.fill('');
  await search.press('ArrowUp');
  await search.press('Enter');
  await expect(target(dialog, 'Bob')).toHaveAttribute('aria-selected', 'true');
  for (const name of ['Dora', 'Emil', 'Fred', 'Gina']) await target(dialog, name).click();
  await expect(target(dialog, 'Hans')).toHaveAttribute('aria-disabled', 'true');
  await target(dialog, 'Hans').click({ force: true });
  await expect(target(dialog, 'Hans')).toHaveAttribute('aria-selected', 'false');
  await expect(dialog.getByText(t('forward.limit', { count: 5 }))).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(textBox(page)).toBeFocused();
  await expect(message(bob.page, HELLO)).toHaveCount(1);
});

test('a text of ten thousand characters and many lines is forwarded unchanged @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const { page } = alice;
  const text = `start ${'x'.repeat(48)}\n${'a line of a long text \n'.repeat(430)}`.slice(0, 9_990);
  await sendOverHttp(page, 'Bob', text);
  const bubble = message(page, 'start');
  await expect(bubble).toHaveCount(1);
  await forward(bubble, 'Bob');
  await expect(bubble).toHaveCount(2);
  await expect
    .poll(async () => {
      const response = await bob.page.request.get(`/api/chatrooms/chats/${room.split('/').at(-1)}`);
      const { chatroomMessages } = (await response.json()) as {
        chatroomMessages: { content: string; isForwarded?: boolean }[];
      };
      const [first, second] = chatroomMessages.slice(-2);
      return second?.isForwarded === true && second.content === first?.content;
    })
    .toBe(true);
});
