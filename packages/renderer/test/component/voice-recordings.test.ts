import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { messageBox } from './support/locators.ts';
import { createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

const bar = page.getByRole('region', { name: t('recorder.title') });

const countMessages = (): number => page.getByCss('[data-message]').elements().length;

/** Finds a button of the recorder. */
const barButton = (key: 'stop' | 'pause' | 'resume' | 'discard' | 'send') =>
  bar.getByRole('button', { name: t(`recorder.${key}`), exact: true });

/** Starts a recording with the keyboard. Resolves once a second is recorded. Returns where the button was. */
async function startWithKeyboard(): Promise<DOMRect> {
  const start = page.getByRole('button', { name: t('composer.record') }).element();
  const box = start.getBoundingClientRect();
  start.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(barButton('stop')).toHaveFocus();
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  return box;
}

async function pressButton(key: 'pause' | 'discard' | 'send'): Promise<void> {
  barButton(key).element().focus();
  await userEvent.keyboard('{Enter}');
}

test('only one recording plays at a time, and one that cannot be loaded shows an error', async () => {
  const { server, room } = await openChatOf('Bob', {}, async (memoryServer, id) => {
    for (const seconds of [60, 61]) {
      await sendMediaAs(memoryServer, 'Alice', id, createRecordingFile(seconds));
    }
  });
  const players = page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  const play = (index: number) => players.nth(index).getByRole('button', { name: t('audio.play') });
  const pause = (index: number) =>
    players.nth(index).getByRole('button', { name: t('audio.pause') });
  await play(0).click();
  await expect.element(pause(0)).toBeVisible();
  await play(1).click();
  await expect.element(pause(1)).toBeVisible();
  await expect.element(play(0)).toBeVisible();

  // The others are in memory, so they are not requested again.
  server.intercept('getMedia', () => new Response(null, { status: 404 }));
  await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
  await play(2).click();
  await expect.element(page.getByText(t('audio.broken'))).toBeVisible();
  await play(0).click();
  await expect.element(pause(0)).toBeVisible();
});

test('the stop button of a recording appears in place of the record button and has the focus', async () => {
  await openChatOf('Alice');
  const { left } = await startWithKeyboard();
  const stop = barButton('stop').element().getBoundingClientRect();
  expect(Math.abs(stop.left - left)).toBeLessThan(24);
  await expect.element(barButton('stop')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(bar).not.toBeInTheDocument();
  await expect.poll(countMessages).toBe(2);
});

test('a paused recording keeps the focus and is discarded or sent, which returns the focus to the text box', async () => {
  await openChatOf('Alice');
  await startWithKeyboard();
  await pressButton('pause');
  await expect.element(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();
  await expect.element(barButton('resume')).toHaveFocus();
  await pressButton('discard');
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(bar).not.toBeInTheDocument();
  expect(countMessages()).toBe(1);

  await startWithKeyboard();
  await pressButton('pause');
  await pressButton('send');
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.poll(countMessages).toBe(2);
});
