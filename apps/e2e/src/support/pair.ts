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

/** Opens a room by its address and waits until it can be written in. */
export async function enterRoom(page: Page, room: string): Promise<void> {
  await page.goto(room);
  await expect(page.locator('[data-message]').last()).toBeVisible();
}
