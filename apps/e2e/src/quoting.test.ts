import type { Locator, Page } from 'playwright/test';
import { sendOverHttp, signInElsewhere } from './support/browser-user.ts';
import { chatroomIdOf, message, messages, sendText, textBox } from './support/chat.ts';
import { createPng } from './support/files.ts';
import { chooseImages, sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator, localeOf, TEST_LANGUAGES, type Translator } from './support/texts.ts';

const HELLO = 'Hello Bob!';
const t = createTranslator('en');

/** Returns the quotes in the messages of the open chatroom. */
function quote(page: Page, translate: Translator, text: string, name?: string): Locator {
  const label =
    name === undefined
      ? translate('reply.labelPlain', { text })
      : translate('reply.label', { name, text });
  return page.getByRole('button', { name: label, exact: true });
}

/** Starts a reply with the menu of a message. */
async function startReply(page: Page, translate: Translator, bubble: Locator): Promise<void> {
  await bubble.click({ button: 'right', position: { x: 12, y: 12 } });
  await page.getByRole('menuitem', { name: translate('message.reply'), exact: true }).click();
  await expect(textBox(page)).toBeFocused();
}

/** Returns the message of a text that is not a reply. */
function original(page: Page, text: string): Locator {
  return message(page, text).first();
}

/** Sends numbered messages as Alice. */
async function fillChatroom(page: Page, count: number): Promise<void> {
  for (let i = 1; i <= count; i += 1) await sendOverHttp(page, 'Bob', `number ${i}.`);
}

for (const language of TEST_LANGUAGES) {
  const translate = createTranslator(language);

  test(`replies show what they reply to, on all devices and after changes (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob, room } = await openSharedChatroom(newPage, server, { language });

    await test.step('a reply is started with the menu and cancelled with Escape', async () => {
      await startReply(bob.page, translate, original(bob.page, HELLO));
      const note = bob.page.getByText(translate('reply.to', { name: 'Alice' }), { exact: true });
      await expect(note).toBeVisible();
      await textBox(bob.page).press('Escape');
      await expect(note).toHaveCount(0);
      await expect(textBox(bob.page)).toBeFocused();
    });

    await test.step('a draft keeps its reply across a reload', async () => {
      await startReply(bob.page, translate, original(bob.page, HELLO));
      await textBox(bob.page).fill('Hello back');
      await bob.page.reload();
      await expect(
        bob.page.getByText(translate('reply.to', { name: 'Alice' }), { exact: true }),
      ).toBeVisible();
      await expect(textBox(bob.page)).toHaveValue('Hello back');
      await textBox(bob.page).press('Enter');
      await expect(quote(bob.page, translate, HELLO, 'Alice')).toBeVisible();
      await expect(quote(alice.page, translate, HELLO, translate('reply.you'))).toBeVisible();
      await expect(
        bob.page.getByText(translate('reply.to', { name: 'Alice' }), { exact: true }),
      ).toHaveCount(0);
    });

    await test.step('an image replies to a text, and a text to the image', async () => {
      await startReply(bob.page, translate, original(bob.page, HELLO));
      await chooseImages(bob.page, createPng(300, 200));
      await bob.page
        .getByRole('button', { name: translate('composer.sendImage_one'), exact: true })
        .click();
      const picture = alice.page.locator('[data-message]').filter({
        has: alice.page.getByRole('img', { name: translate('message.image', { name: 'Bob' }) }),
      });
      await expect(picture.getByRole('button', { name: /Hello Bob/ })).toBeVisible();
      await picture.click({ button: 'right', position: { x: 12, y: 6 } });
      await alice.page
        .getByRole('menuitem', { name: translate('message.reply'), exact: true })
        .click();
      await sendText(alice.page, 'Nice');
      await expect(
        quote(bob.page, translate, translate('reply.photo'), translate('reply.you')),
      ).toBeVisible();
    });

    const phone = await signInElsewhere(await newPage({ locale: localeOf(language) }), bob);
    await goToChatroom(phone, room);

    await test.step('quotes follow edits and deletions, and a draft as well', async () => {
      await startReply(phone, translate, original(phone, HELLO));
      const body = await alice.page.request.get(`/api/chatrooms/chats/${chatroomIdOf(alice.page)}`);
      const { chatroomMessages } = (await body.json()) as {
        chatroomMessages: { _id: string; content: string }[];
      };
      const messageId = chatroomMessages.find(({ content }) => content === HELLO)?._id;
      await alice.page.request.patch('/api/messages/edit', {
        data: { messageId, content: 'Hello Robert' },
      });
      for (const page of [bob.page, phone]) {
        await expect(quote(page, translate, 'Hello Robert', 'Alice')).toHaveCount(2);
      }
      await alice.page.request.delete('/api/messages/delete', { data: { messageId } });
      const deleted = translate('reply.deleted');
      for (const page of [bob.page, phone, alice.page]) {
        await expect(quote(page, translate, deleted)).toHaveCount(2);
        await expect(page.getByText('Hello Robert')).toHaveCount(0);
      }
      await expect(phone.locator('output').getByText(deleted)).toBeVisible();
      await quote(phone, translate, deleted).first().click();
      await expect(phone.getByText(translate('reply.jumpMissing'))).toBeVisible();
    });
  });

  test(`a quote jumps to a message that is not loaded, and back (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice, bob } = await openSharedChatroom(newPage, server, {
      language,
      bobOpens: 'nothing',
    });
    await sendFile(alice.page, new URL(alice.page.url()).pathname, 'image', createPng(200, 200));
    await fillChatroom(alice.page, 130);
    await startReplyToFirst(alice.page);
    const chatroom = chatroomIdOf(alice.page);
    await bob.page.request.post(`/api/chatrooms/chats/${chatroom}/mark-as-read`);
    await goToChatroom(bob.page, `/chatarea/chats/${chatroom}`);
    const jump = quote(bob.page, translate, HELLO, 'Alice');
    await expect(jump).toBeVisible();

    await test.step('the original is focused, and nothing newer is loaded', async () => {
      await jump.focus();
      await bob.page.keyboard.press('Enter');
      const row = bob.page.getByRole('article').filter({ has: original(bob.page, HELLO) });
      await expect(row).toBeFocused();
      await expect(row).toBeInViewport();
      await expect(message(bob.page, 'number 130.')).toHaveCount(0);
    });

    await test.step('a live message is not appended there and stays unread', async () => {
      await sendOverHttp(alice.page, 'Bob', 'Are you reading?');
      await expect(
        bob.page.getByRole('button', { name: translate('room.unreadButton_one', { count: 1 }) }),
      ).toBeVisible();
      await expect(message(bob.page, 'Are you reading?')).toHaveCount(0);
    });

    await test.step('images in the loaded part open', async () => {
      await bob.page
        .getByRole('button', { name: new RegExp(translate('message.openImage')) })
        .first()
        .click();
      await expect(bob.page.getByRole('dialog')).toBeVisible();
      await bob.page.keyboard.press('Escape');
      await expect(bob.page.getByRole('dialog')).toHaveCount(0);
    });

    await test.step('a button leads back to the reply', async () => {
      await bob.page.getByRole('button', { name: translate('reply.back'), exact: true }).click();
      await expect(jump).toBeInViewport();
      await expect(message(bob.page, 'Are you reading?')).toBeVisible();
    });
  });
}

/** Lets Alice reply to the first message over HTTP. */
async function startReplyToFirst(page: Page): Promise<void> {
  const chatroom = chatroomIdOf(page);
  const first = await page.request.get(`/api/chatrooms/chats/${chatroom}?before=2`);
  const { chatroomMessages } = (await first.json()) as { chatroomMessages: { _id: string }[] };
  const replyTo = chatroomMessages[0]?._id;
  const data = { chatroom, content: 'as I wrote', replyTo };
  expect((await page.request.post('/api/messages/send', { data })).status()).toBe(201);
}

test('a link to a message opens the chatroom there once @long', async ({ server, newPage }) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, {
    bobOpens: 'nothing',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await original(alice.page, HELLO).click({ button: 'right', position: { x: 12, y: 12 } });
  await alice.page.getByRole('menuitem', { name: t('message.copyLink'), exact: true }).click();
  await expect(alice.page.getByText(t('message.linkCopied'))).toBeVisible();
  const link = await alice.page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).pathname + new URL(link).search).toBe(`${room}?message=1`);
  await fillChatroom(alice.page, 120);
  await bob.page.request.post(`/api${room.replace('chatarea', 'chatrooms')}/mark-as-read`);

  await bob.page.goto(new URL(link).pathname + new URL(link).search);
  const row = bob.page.getByRole('article').filter({ has: original(bob.page, HELLO) });
  await expect(row).toBeFocused();
  await expect.poll(() => new URL(bob.page.url()).search).toBe('');
  await bob.page.reload();
  await expect(messages(bob.page).last()).toBeVisible();
  await expect(original(bob.page, HELLO)).toHaveCount(0);

  await bob.page.goto(`${room}?message=9999`);
  await expect(bob.page.getByText(t('reply.jumpMissing'))).toBeVisible();
});

test('a swipe to the right replies, and a vertical one scrolls @long', async ({
  server,
  newPage,
}) => {
  const { bob } = await openSharedChatroom(newPage, server, PHONE);
  const box = await original(bob.page, HELLO).boundingBox();
  if (!box) throw new Error('no message');
  const session = await bob.page.context().newCDPSession(bob.page);
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', dx = 0, dy = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [{ x: box.x + box.width / 2 + dx, y: box.y + box.height / 2 + dy }],
    });
  const swipe = async (dx: number, dy: number) => {
    await touch('touchStart');
    for (let i = 1; i <= 8; i += 1) await touch('touchMove', (dx * i) / 8, (dy * i) / 8);
  };
  const note = bob.page.getByText(t('reply.to', { name: 'Alice' }), { exact: true });
  await swipe(40, 0);
  await touch('touchEnd');
  await expect(note).toHaveCount(0);
  await swipe(100, 4);
  await touch('touchEnd');
  await expect(note).toBeVisible();
  const cancel = bob.page.getByRole('button', { name: t('reply.cancel'), exact: true });
  await expect(async () => {
    // Chromium makes no click of a tap a quarter of a second after a swipe, faster than a finger.
    if (await note.isVisible()) await cancel.tap();
    expect(await note.count()).toBe(0);
  }).toPass();
  await swipe(10, 90);
  await touch('touchEnd');
  await expect(note).toHaveCount(0);
});
