import { createTranslator } from '@parley/texts/translator';
import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './act-as.ts';
import { messageWith, toastWith } from './locators.ts';
import { messageRow } from './message-menu.ts';
import { openApp, type AppOptions } from './open-app.ts';
import { readPageStorage } from './page-storage.ts';

const t = createTranslator('en');

/** The first message, which is not loaded when the chatroom opens. */
export const hello = () => messageWith('Hello Bob!');
/** The newest message. */
export const newest = () => messageWith('number 80.');

/** Creates a chatroom whose first message is not loaded when Bob opens it, as he has read all of them. */
export async function createLongChat(language: AppOptions['language'] = 'en') {
  const server = createServerWith(['Alice', 'Bob'], language);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (let i = 1; i <= 80; i += 1) await sendTextAs(server, 'Alice', room, `number ${i}.`);
  await actAs(server, 'Bob').call('markAsRead', { params: { id: room } });
  const path = `/chatarea/chats/${room}`;
  return { server, room, path, linkTo: (seq: number | string) => `${path}/messages/${seq}` };
}

/** Waits until a link has led to a message. */
export async function expectShown(message: Locator): Promise<void> {
  await expect.element(messageRow(message)).toHaveFocus();
  await expect.element(messageRow(message)).toBeInViewport();
}

/** Opens the long chatroom as Bob, then without a connection at its first message, which is not stored. */
export async function openLinkOffline(options: Pick<AppOptions, 'viewport'> = {}) {
  const chat = await createLongChat();
  const app = await openApp({ ...options, server: chat.server, user: 'Bob', path: chat.path });
  await expect.element(newest()).toBeVisible();
  await expect.poll(readPageStorage).toContain('number 80.');
  await expect.poll(readPageStorage).toContain('start-facts');
  app.browser.setOnline(false);
  await app.reload(chat.linkTo(1));
  await expect.element(toastWith(t('reply.jumpOffline'))).toBeVisible();
  expect(location.pathname).toBe(chat.linkTo(1));
  return { ...chat, ...app };
}
