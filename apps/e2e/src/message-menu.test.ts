import type { CDPSession, Locator, Page } from 'playwright/test';
import { sendOverHttp } from './support/browser-user.ts';
import { message, messages } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { goToChatroom, openChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the open menu. */
function menu(page: Page): Locator {
  return page.getByRole('menu');
}

/** Puts a finger on an element. Returns functions that move and lift it. */
async function putFinger(touch: CDPSession, element: Locator, at?: number) {
  const { x = 0, y = 0, height = 0 } = (await element.boundingBox()) ?? {};
  const point = { x: Math.round(x + 20), y: Math.round(at ?? y + height / 2) };
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: object[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points as [] });
  await send('touchStart', [point]);
  return {
    move: (by: number) => send('touchMove', [{ ...point, y: point.y + by }]),
    lift: () => send('touchEnd', []),
  };
}

test('scrolling, a short tap and a press on a link do not open the menu @long', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server, PHONE);
  const { page } = alice;
  await sendOverHttp(page, 'Bob', 'https://parley.example/');
  await goToChatroom(page, room);
  const touch = await page.context().newCDPSession(page);
  await page.clock.install();
  // Longer than a long press.
  const wait = () => page.clock.runFor(1_000);

  const moved = await putFinger(touch, message(page, 'Hello Bob!'));
  await moved.move(-30);
  await wait();
  await moved.lift();
  await expect(menu(page)).toHaveCount(0);

  await message(page, 'Hello Bob!').tap();
  await wait();
  await expect(menu(page)).toHaveCount(0);

  const held = await putFinger(
    touch,
    page.getByRole('link', { name: 'https://parley.example/', exact: true }),
  );
  await wait();
  await expect(menu(page)).toHaveCount(0);
  await held.move(60);
  await held.lift();
});

test('images and recordings can be saved', async ({ server, newPage }) => {
  const { alice, room } = await openChatroom(newPage, server);
  const { page } = alice;
  await sendFile(page, room, 'image', createPng(400, 300));
  await sendFile(page, room, 'audio', createWav(1));
  await expect(messages(page)).toHaveCount(3);
  for (const [index, key, name] of [
    [1, 'saveImage', /\.png$/],
    [2, 'saveRecording', /\.wav$/],
  ] as const) {
    await messages(page)
      .nth(index)
      .click({ button: 'right', position: { x: 12, y: 12 } });
    const download = page.waitForEvent('download');
    await menu(page)
      .getByRole('menuitem', { name: t(`message.${key}`), exact: true })
      .click();
    expect((await download).suggestedFilename()).toMatch(name);
    await expect(menu(page)).toHaveCount(0);
  }
});
