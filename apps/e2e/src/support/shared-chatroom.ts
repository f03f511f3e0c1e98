import { expect, type Page } from 'playwright/test';
import { signUpOverHttp, sendOverHttp, type BrowserUser } from './browser-user.ts';
import type { RunningServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { localeOf, type TestLanguage } from './texts.ts';

/** Two users and their chatroom, in which Alice has sent “Hello Bob!”. */
export interface SharedChatroom {
  readonly alice: BrowserUser;
  readonly bob: BrowserUser;
  /** Path of the chatroom, such as `/chatarea/chats/…`. */
  readonly room: string;
}

interface PairOptions extends NewPageOptions {
  language?: TestLanguage;
  /** Whether Bob opens the chatroom, too. Otherwise he stays in the chat list. */
  isBobInRoom?: boolean;
}

/** Signs Alice and Bob up, each in their own browser, and opens their chatroom. */
export async function openSharedChatroom(
  newPage: NewPage,
  server: RunningServer,
  { language = 'en', isBobInRoom = true, ...options }: PairOptions = {},
): Promise<SharedChatroom> {
  const signUp = async (name: string) => {
    const page = await newPage({ locale: localeOf(language), ...options });
    return signUpOverHttp(page, server, name, language);
  };
  const [alice, bob] = await Promise.all([signUp('Alice'), signUp('Bob')]);
  const room = `/chatarea/chats/${await sendOverHttp(alice.page, 'Bob', 'Hello Bob!')}`;
  await goToChatroom(alice.page, room);
  if (isBobInRoom) await goToChatroom(bob.page, room);
  return { alice, bob, room };
}

/** Opens a chatroom by its path. Resolves once its messages are visible and the live connection works. */
export async function goToChatroom(page: Page, room: string): Promise<void> {
  // Once the navigation has committed, the sockets of the previous page are closed.
  await page.goto(room, { waitUntil: 'commit' });
  await nextConnection(page);
  await expect(page.locator('[data-message]').last()).toBeVisible();
}

/** Resolves once the server has accepted a page's next socket. */
async function nextConnection(page: Page): Promise<void> {
  const connected = Promise.withResolvers<void>();
  page.once('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      // The packet type of an Engine.IO message, then that of Socket.IO's CONNECT.
      if (String(payload).startsWith('40')) connected.resolve();
    });
  });
  await connected.promise;
}
