import type { Locator, Page } from 'playwright/test';
import {
  registerOverHttp,
  sendOverHttp,
  signInOverHttp,
  type BrowserUser,
} from './support/browser-user.ts';
import { message, messages, sendText, textBox } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { clickAll } from './support/click-all.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES, type Translator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const t = createTranslator('en');

/** Opens the dialog to forward a message with the message's menu. */
async function openForwardDialog(bubble: Locator, translate: Translator): Promise<Locator> {
  const page = bubble.page();
  const item = page.getByRole('menuitem', { name: translate('message.forward'), exact: true });
  const dialog = page.getByRole('dialog', { name: translate('forward.title') });
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

async function forward(
  bubble: Locator,
  translate: Translator,
  ...names: readonly string[]
): Promise<void> {
  const dialog = await openForwardDialog(bubble, translate);
  for (const name of names) await target(dialog, name).click();
  await dialog.getByRole('button', { name: translate('forward.send'), exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Creates a chat of Alice and Carla. Returns Carla, who has it open. */
async function addCarla(
  alice: BrowserUser,
  carlaPage: Page,
  server: Parameters<typeof signInOverHttp>[1],
  language: (typeof TEST_LANGUAGES)[number] = 'en',
): Promise<{ carla: BrowserUser; carlaRoom: string }> {
  const carla = await signInOverHttp(carlaPage, server, 'Carla', language);
  const carlaRoom = `/chatarea/chats/${await sendOverHttp(alice.page, 'Carla', 'Hello Carla!')}`;
  await goToChatroom(carla.page, carlaRoom);
  return { carla, carlaRoom };
}

for (const language of TEST_LANGUAGES) {
  const translate = createTranslator(language);

  test(`a message can be forwarded to other chats without naming its source (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });
    const { page } = alice;
    const carlaPage = await newPage({ locale: localeOf(language) });
    const { carla, carlaRoom } = await addCarla(alice, carlaPage, server, language);
    const mark = translate('message.forwarded');

    await test.step('a text with the keyboard', async () => {
      await sendText(bob.page, 'one :circassia:');
      const bubble = message(page, 'one');
      const dialog = await openForwardDialog(bubble, translate);
      await expect(dialog.getByRole('combobox')).toBeFocused();
      await expect(dialog.getByRole('option')).toHaveText(['Bob', 'Carla']);
      await page.keyboard.type('arl');
      await expect(dialog.getByRole('option')).toHaveText(['Carla']);
      await page.keyboard.press('Enter');
      await expect(target(dialog, 'Carla')).toHaveAttribute('aria-selected', 'true');
      await expect(dialog.getByText(translate('forward.chosen', { names: 'Carla' }))).toBeVisible();
      await page.keyboard.press('Control+Enter');
      await expect(dialog).toHaveCount(0);
      const received = message(carla.page, 'one');
      await expect(received).toContainText(mark);
      await expect(received.locator('img')).toHaveCount(1);
      await expect(carla.page.getByText('Bob')).toHaveCount(0);
    });

    await test.step('the toast opens the other chat', async () => {
      await expect(page.getByText(translate('forward.done', { name: 'Carla' }))).toBeVisible();
      await page.getByRole('button', { name: translate('forward.open'), exact: true }).click();
      await page.waitForURL(`**${carlaRoom}`);
      await expect(message(page, 'one')).toContainText(mark);
      await goToChatroom(page, room);
    });

    await test.step('an image and a recording to several chats, also to the current one', async () => {
      await sendFile(bob.page, room, 'image', createPng(400, 300));
      const image = messages(page).filter({ has: page.locator('[data-image]') });
      await expect(image).toHaveCount(1);
      await forward(image, translate, 'Bob', 'Carla');
      await expect(
        page.getByText(translate('forward.doneChats_other', { count: 2 })),
      ).toBeVisible();
      await expect(image).toHaveCount(2);
      await expect(image.last()).toContainText(mark);
      const received = messages(carla.page).filter({ has: carla.page.locator('[data-image]') });
      await expect(received).toContainText(mark);
      await expect(received.locator('img[data-state="ready"]')).toBeVisible();

      await sendFile(bob.page, room, 'audio', createWav(2));
      const recording = messages(page).filter({ has: page.getByRole('slider') });
      await forward(recording, translate, 'Carla');
      const heard = messages(carla.page).filter({ has: carla.page.getByRole('slider') });
      await expect(heard).toContainText(mark);
    });

    await test.step('a forwarded message can be forwarded again', async () => {
      await forward(message(carla.page, 'one'), translate, 'Alice');
      await expect(message(carla.page, 'one')).toHaveCount(2);
      await expect(message(carla.page, 'one').last()).toContainText(mark);
    });
  });
}

test('an edited text is no longer marked as forwarded @long', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const mark = t('message.forwarded');
  await forward(message(page, HELLO), t, 'Bob');
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

test('messages that are forwarded offline are sent later, unless their original is gone', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const { carla, carlaRoom } = await addCarla(alice, await newPage(), server);
  await sendFile(bob.page, room, 'image', createPng(400, 300, 'kept.png'));
  await sendFile(bob.page, room, 'image', createPng(300, 400, 'deleted.png'));
  const images = messages(page).filter({ has: page.locator('[data-image]') });
  const deleted = messages(bob.page).filter({ has: bob.page.locator('[data-image]') });
  // The lists may scroll until both are loaded.
  for (const all of [images, deleted]) {
    await expect(all.locator('img[data-state="ready"]')).toHaveCount(2);
  }

  await page.context().setOffline(true);
  await expect(page.getByText(t('connection.offline'))).toBeVisible();
  await forward(images.last(), t, 'Carla');
  await expect(page.getByText(t('forward.later'))).toBeVisible();
  await forward(images.first(), t, 'Carla');
  await forward(message(page, HELLO), t, 'Carla');
  await deleted.last().click({ button: 'right', position: { x: 12, y: 12 } });
  await bob.page.getByRole('menuitem', { name: t('message.delete'), exact: true }).click();
  // The image disappears from Bob's page before the server has deleted it.
  const response = bob.page.waitForResponse('**/api/messages/delete');
  await bob.page
    .getByRole('alertdialog')
    .getByRole('button', { name: t('app.delete') })
    .click();
  expect((await response).status()).toBe(200);
  await expect(deleted).toHaveCount(1);
  await page.context().setOffline(false);

  await expect(message(carla.page, HELLO)).toContainText(t('message.forwarded'));
  await expect(messages(carla.page)).toHaveCount(3);
  await expect(page.getByText(t('forward.originalDeleted'))).toBeVisible();
  await goToChatroom(page, carlaRoom);
  const failed = page.getByRole('alert').filter({ hasText: t('forward.originalDeleted') });
  await expect(failed.getByRole('button')).toHaveText([t('message.discard')]);
  // The button moves while the list gets its final height.
  await expect(async () => {
    await clickAll(failed.getByRole('button'));
    expect(await failed.count()).toBe(0);
  }).toPass();
  await expect(messages(page)).toHaveCount(3);
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

  const dialog = await openForwardDialog(message(page, HELLO), t);
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
  await forward(bubble, t, 'Bob');
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
