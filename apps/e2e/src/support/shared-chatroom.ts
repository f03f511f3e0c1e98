import { expect, type Page } from 'playwright/test';
import {
  registerOverHttp,
  sendOverHttp,
  signInOverHttp,
  type BrowserUser,
} from './browser-user.ts';
import type { HostedServer } from '@parley/testing';
import type { NewPage, NewPageOptions } from './test.ts';
import { localeOf, type TestLanguage } from './texts.ts';

/** A chatroom of Alice and Bob, in which Alice has sent “Hello Bob!”. */
interface Chatroom {
  readonly alice: BrowserUser;
  /** Path of the chatroom, such as `/chatarea/chats/…`. */
  readonly room: string;
}

/** A chatroom in which Bob has a browser, too. */
export interface SharedChatroom extends Chatroom {
  readonly bob: BrowserUser;
}

interface ChatroomOptions extends NewPageOptions {
  language?: TestLanguage;
}

interface PairOptions extends ChatroomOptions {
  /** What Bob opens in his browser. By default the chatroom, too. */
  bobOpens?: 'chatroom' | 'chat list' | 'nothing';
}

/** Signs Alice up and opens her chatroom with Bob, who has no browser. */
export async function openChatroom(
  newPage: NewPage,
  server: HostedServer,
  { language = 'en', ...options }: ChatroomOptions = {},
): Promise<Chatroom> {
  const page = await newPage({ locale: localeOf(language), ...options });
  const [alice] = await Promise.all([
    signInOverHttp(page, server, 'Alice', language),
    registerOverHttp(server, 'Bob', language),
  ]);
  const room = await createChatroom(alice);
  await goToChatroom(page, room);
  return { alice, room };
}

/** Signs Alice and Bob up, each in their own browser, and opens their chatroom. */
export async function openSharedChatroom(
  newPage: NewPage,
  server: HostedServer,
  { language = 'en', bobOpens = 'chatroom', ...options }: PairOptions = {},
): Promise<SharedChatroom> {
  const signIn = async (name: string) => {
    const page = await newPage({ locale: localeOf(language), ...options });
    return signInOverHttp(page, server, name, language);
  };
  const [alice, bob] = await Promise.all([signIn('Alice'), signIn('Bob')]);
  const room = await createChatroom(alice);
  const opened = [goToChatroom(alice.page, room)];
  if (bobOpens === 'chatroom') opened.push(goToChatroom(bob.page, room));
  if (bobOpens === 'chat list') opened.push(goToChatList(bob.page));
  await Promise.all(opened);
  return { alice, bob, room };
}

/** Creates the chatroom of Alice and Bob. Returns its path. */
async function createChatroom(alice: BrowserUser): Promise<string> {
  return `/chatarea/chats/${await sendOverHttp(alice.page, 'Bob', 'Hello Bob!')}`;
}

/** Opens a chatroom by its path. Resolves once its messages are visible and the live connection works. */
export async function goToChatroom(page: Page, room: string): Promise<void> {
  // Once the navigation has committed, the sockets of the previous page are closed.
  await page.goto(room, { waitUntil: 'commit' });
  await nextConnection(page);
  await expect(page.locator('[data-message]').last()).toBeVisible();
}

/** Opens the chat list. Resolves once a chat is visible and the live connection works. */
export async function goToChatList(page: Page): Promise<void> {
  await page.goto('/chatarea', { waitUntil: 'commit' });
  await nextConnection(page);
  await expect(page.locator('[data-chat]').first()).toBeVisible();
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
