import { expect, type Page } from 'playwright/test';
import { arrive, sendDirectly, type Person } from './person.ts';
import type { RunningServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { localeOf, type Language } from './texts.ts';

/** Two people and the room that Alice opened with «Hello Bob!». */
export interface Pair {
  readonly alice: Person;
  readonly bob: Person;
  /** The room's address, such as `/chatarea/chats/…`. */
  readonly room: string;
}

interface PairOptions extends NewPageOptions {
  language?: Language;
  /** Bob is left in his chat list; Alice is always in the room. */
  isBobInRoom?: boolean;
}

/** Alice and Bob, each with a browser of their own, in their room. */
export async function twoInRoom(
  newPage: NewPage,
  server: RunningServer,
  { language = 'en', isBobInRoom = true, ...options }: PairOptions = {},
): Promise<Pair> {
  const come = async (name: string) => {
    const page = await newPage({ locale: localeOf(language), ...options });
    return arrive(page, server, name, language);
  };
  const [alice, bob] = await Promise.all([come('Alice'), come('Bob')]);
  const room = `/chatarea/chats/${await sendDirectly(alice.page, 'Bob', 'Hello Bob!')}`;
  await enterRoom(alice.page, room);
  if (isBobInRoom) await enterRoom(bob.page, room);
  return { alice, bob, room };
}

/** Opens a room by its address and waits until its messages are there and further ones arrive live. */
export async function enterRoom(page: Page, room: string): Promise<void> {
  // From here on, the sockets of the page before are gone.
  await page.goto(room, { waitUntil: 'commit' });
  await nextConnection(page);
  await expect(page.locator('[data-message]').last()).toBeVisible();
}

/** Resolves once the server has taken the next socket of a page. */
async function nextConnection(page: Page): Promise<void> {
  const connected = Promise.withResolvers<void>();
  page.once('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      // The type of an Engine.IO message, then that of Socket.IO's CONNECT.
      if (String(payload).startsWith('40')) connected.resolve();
    });
  });
  await connected.promise;
}
