import type { MemoryServer } from '@parley/memory-server';
import { expect } from 'vitest';
import { createChatBetween, createServerWith } from './act-as.ts';
import { messageWith } from './locators.ts';
import { openApp, type AppOptions, type OpenApp } from './open-app.ts';

/** A chatroom in the page of a test. */
export interface ShownChat extends OpenApp {
  /** The id of the chatroom. */
  readonly room: string;
  /** The path of the chatroom. */
  readonly path: string;
}

/** Opens the chatroom of Alice and Bob, in which Alice has sent “Hello Bob!”, as one of them. Carla has an account too. */
export async function openChatOf(
  user: 'Alice' | 'Bob',
  options: Omit<AppOptions, 'user' | 'server' | 'path'> = {},
  prepare?: (server: MemoryServer, room: string) => Promise<void>,
): Promise<ShownChat> {
  const server = createServerWith(['Alice', 'Bob', 'Carla'], options.language);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await prepare?.(server, room);
  const path = `/chatarea/chats/${room}`;
  const app = await openApp({ ...options, server, user, path });
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
  return { ...app, room, path };
}
