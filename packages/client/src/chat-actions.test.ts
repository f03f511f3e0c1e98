import type { Message } from '@parley/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createAdasOutbox } from '../test/create-adas-outbox.ts';
import { createChatState } from '../test/create-chat-state.ts';
import { createChatActions } from './chat-actions.ts';
import { createClientStores } from './client-stores.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import type { NewChange } from './outbox/changes/change.ts';
import { toChat } from './stores/chat-list.ts';

const last: Message = {
  _id: 'm3',
  chatroom: 'room',
  content: 'hi',
  sender: { username: 'Bob' },
  createdAt: '2025-03-20T10:00:00.000Z',
  updatedAt: '2025-03-20T10:00:00.000Z',
  seq: 3,
  rev: 3,
  kind: 'text',
};

test.each([
  ['up to its newest message', [toChat(createChatState({}, last))], { archivedSeq: 3 }],
  [
    'without a message, so that the next one ends that',
    [toChat(createChatState())],
    { archivedSeq: 0 },
  ],
  ['that is not loaded as it is then', [], {}],
])('archives a chat %s', (_what, chats, known) => {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const { signal } = stopping;
  const opened = Promise.resolve(undefined);
  const { store } = createAdasOutbox();
  const stores = createClientStores(createHeadlessPlatform(), 'Ada', opened, store, signal);
  stores.chats.getState().setFetched(chats, new Map());
  const made: NewChange[] = [];
  createChatActions({ stores, change: (change) => made.push(change) }).archive('room', true);
  expect(made).toMatchObject([{ value: { isPinned: false, isArchived: true, ...known } }]);
  expect(Object.keys(Object(made[0]?.value))).toHaveLength(2 + Object.keys(known).length);
});
