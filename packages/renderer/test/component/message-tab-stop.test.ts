import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { focusOn } from './support/focus-on.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { nextFrames } from './support/next-frames.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';

const t = createTranslator('en');
const rows = page.getByRole('article');
const play = page.getByRole('button', { name: t('audio.play') });

/** Opens Bob's chatroom with a text, an image, a recording, a text to expand and a link of Alice. */
async function openMessages() {
  // Tall enough to show all of them.
  const viewport = { width: 1280, height: 1400 };
  await openChatOf('Bob', { viewport }, async (server, room) => {
    await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
    await sendMediaAs(server, 'Alice', room, createRecordingFile(2));
    await sendTextAs(server, 'Alice', room, 'A long text. '.repeat(300));
    await sendTextAs(server, 'Alice', room, 'https://parley.example/');
  });
  await expect.element(messageWith('parley.example')).toBeVisible();
  await expect.poll(() => rows.elements()).toHaveLength(5);
}

/** Returns the rows of the messages in which Tab stops. */
function rowsWithTabStops(): number[] {
  const all = rows.elements();
  const stops = [...document.querySelectorAll<HTMLElement>('ol :not(audio)')].filter(
    ({ tabIndex }) => tabIndex >= 0,
  );
  return [...new Set(stops.map((stop) => all.findIndex((row) => row.contains(stop))))];
}

test('the messages are one Tab stop, with the controls of the focused message only', async () => {
  await openMessages();
  expect(rowsWithTabStops()).toEqual([4]);
  await expect.element(messageBox()).toHaveFocus();
  await reachWithKeys(rows.nth(4), BACKWARDS);
  for (const index of [3, 2, 1, 0]) {
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(rows.nth(index)).toHaveFocus();
    expect(rowsWithTabStops()).toEqual([index]);
  }
  await userEvent.keyboard('{ArrowDown}{Tab}');
  const { openers } = findImageViewer();
  await expect.element(openers).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{ArrowDown}{Tab}');
  await expect.element(play).toHaveFocus();
});

test('Enter opens the image of the focused message and plays its recording', async () => {
  await openMessages();
  const { openers, dialog } = findImageViewer();
  focusOn(rows.nth(1));
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(openers).toHaveFocus();
  // From the image as from its message.
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(rows.nth(2)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const pause = page.getByRole('button', { name: t('audio.pause') });
  await expect.element(pause).toBeInTheDocument();
  await expect.element(rows.nth(2)).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(play).toBeInTheDocument();
});

test('Tab reaches the lowest visible message when the newest or the last focused one is far away', async () => {
  // The list opens at the first unread message.
  await openChatOf('Bob', {}, async (server, room) => {
    for (let i = 0; i < 60; i += 1)
      await sendTextAs(server, 'Alice', room, `Line ${i}\n`.repeat(6));
  });
  await expect.element(messageWith('Line 0')).toBeVisible();
  await expect.element(messageBox()).toHaveFocus();
  const list = page.getByRole('region', { name: t('room.messages', { name: 'Alice' }) }).element();
  /** Returns the lowest visible message, once the list has measured its rows. */
  const findLowest = async (scroll?: () => void): Promise<Element | undefined> => {
    let lowest: Element | undefined;
    await expect
      .poll(async () => {
        scroll?.();
        await nextFrames(5);
        const { top, bottom } = list.getBoundingClientRect();
        const last = lowest;
        lowest = rows.elements().findLast((row) => {
          const box = row.getBoundingClientRect();
          return box.bottom > top && box.top < bottom;
        });
        return lowest !== undefined && lowest === last;
      })
      .toBe(true);
    return lowest;
  };
  /** Presses a key until the focus is in the list, and returns the message that has it. */
  const reachList = async (key: string): Promise<Element | null | undefined> => {
    for (let i = 0; i < 9 && !list.contains(document.activeElement); i += 1) {
      await userEvent.keyboard(`{${key}}`);
    }
    return document.activeElement?.closest('article');
  };
  const first = await findLowest();
  expect(await reachList(BACKWARDS)).toBe(first);
  expect(rowsWithTabStops()).toHaveLength(1);

  // From before the list.
  focusOn(page.getByRole('link', { name: t('room.back') }));
  const second = await findLowest(() => {
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: 1 }));
    list.scrollTop = 4_000;
  });
  expect(second).not.toBe(first);
  expect(await reachList('Tab')).toBe(second);
});
