import type { Page } from 'playwright/test';
import { chatRow, sendText } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';

/**
 * Records every sound that the page plays with its volume, such as `send 0.5`. Resolves to a function that returns the
 * sounds since the page was loaded.
 */
async function recordSounds(page: Page): Promise<() => Promise<string[]>> {
  await page.context().addInitScript(() => {
    const sounds: string[] = [];
    Reflect.set(window, 'sounds', sounds);
    HTMLMediaElement.prototype.play = function play() {
      sounds.push(`${/(send|receive)[^/]*$/.exec(this.src)?.[1]} ${this.volume}`);
      return Promise.resolve();
    };
  });
  await page.reload();
  return () => page.evaluate(() => Reflect.get(window, 'sounds') as string[]);
}

/** Resolves to a function that counts the messages since then for which a tab was chosen to notify the user. */
async function notificationsOf(page: Page): Promise<() => Promise<number>> {
  const readLocks = () =>
    page.evaluate(async () => {
      const { held = [] } = await navigator.locks.query();
      return held.flatMap(({ name = '' }) => (name.startsWith('parley.heard.') ? [name] : []));
    });
  const before = new Set(await readLocks());
  return async () => (await readLocks()).filter((name) => !before.has(name)).length;
}

test('sounds follow the volume and play only after the first gesture', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const sent = await recordSounds(alice.page);
  const received = await recordSounds(bob.page);
  const row = chatRow(bob.page, 'Alice');

  await expect(row).toContainText('Hello Bob!');
  const decided = await notificationsOf(bob.page);
  await sendOverHttp(alice.page, 'Bob', 'Before any gesture');
  await expect(row).toContainText('Before any gesture');
  await expect.poll(decided).toBe(1);
  await bob.page.mouse.click(5, 5);
  await sendText(alice.page, 'After it');
  await expect.poll(sent).toEqual(['send 0.5']);
  await expect.poll(received).toEqual(['receive 0.5']);

  const setVolume = (volume: string) =>
    bob.page.request.patch('/api/users/volume', { data: { volume } });
  await setVolume('loud');
  await bob.page.goto('/settings');
  await expect(bob.page.getByRole('radio', { name: 'Loud' })).toBeChecked();
  await bob.page.mouse.click(5, 5);
  await sendText(alice.page, 'Louder');
  await expect.poll(received).toEqual(['receive 1']);

  await bob.page.getByRole('radio', { name: 'Silent' }).click();
  await expect(bob.page.getByText('Updated successfully!')).toBeVisible();
  const decidedSilently = await notificationsOf(bob.page);
  await sendText(alice.page, 'Silence');
  // The volume counts when the message would be heard, which is after it is shown.
  await expect.poll(decidedSilently).toBe(1);
  await bob.page.getByRole('radio', { name: 'Middle' }).click();
  await sendText(alice.page, 'And again');
  await expect.poll(received).toEqual(['receive 1', 'receive 0.5']);

  // A user who is reading the chatroom hears no sound.
  await bob.page.goto(room);
  await bob.page.mouse.click(5, 5);
  await expect(bob.page.getByText('And again').last()).toBeVisible();
  await expect(row.getByText('unread')).toHaveCount(0);
  await sendText(alice.page, 'Do you see it?');
  await expect(bob.page.getByText('Do you see it?').last()).toBeVisible();
  await expect(row.getByText('unread')).toHaveCount(0);
  expect(await received()).toEqual([]);
});

test('only one of several tabs plays the sound of a message @long', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const received = await recordSounds(bob.page);
  const other = await bob.page.context().newPage();
  await other.goto('/profile');
  const receivedThere = () => other.evaluate(() => Reflect.get(window, 'sounds') as string[]);
  for (const page of [other, bob.page]) {
    await expect(chatRow(page, 'Alice')).toContainText('Hello Bob!');
  }
  const sendThree = async (word: string) => {
    for (let i = 1; i <= 3; i++) await sendText(alice.page, `${word}-${i}`);
    await expect(chatRow(other, 'Alice')).toContainText(`${word}-3`);
  };

  // Only the tab with a user gesture may play sounds.
  await bob.page.bringToFront();
  await bob.page.mouse.click(5, 5);
  // Messages that arrive while a tab connects play one sound for each chat.
  await sendText(alice.page, 'Is anybody there?');
  await expect.poll(received).toHaveLength(1);
  await expect(chatRow(other, 'Alice')).toContainText('Is anybody');
  await sendThree('touched');
  await expect.poll(received).toHaveLength(4);
  expect(await receivedThere()).toEqual([]);

  await other.bringToFront();
  await other.mouse.click(5, 5);
  await sendThree('both');
  const all = async () => [...(await received()), ...(await receivedThere())];
  await expect.poll(all).toHaveLength(7);
});
