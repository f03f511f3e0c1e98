import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, type ApiClient } from '../api/client.ts';
import { createClientStores, type ClientStores } from '../client-stores.ts';
import { createHeadlessPlatform } from '../headless-platform.ts';
import { createAdasOutbox } from '../../test/create-adas-outbox.ts';
import { createChatState } from '../../test/create-chat-state.ts';
import { createMessage } from '../../test/create-message.ts';
import { chatStatus } from '../outbox/changes/chat-status.ts';
import { toChat } from '../stores/chat-list.ts';
import { withNewestPage } from '../stores/loaded-chatroom.ts';
import { createDeliveryReporter, type DeliveryReporter } from './delivery-reporter.ts';

const call = vi.fn<(name: string, options: { body: unknown }) => Promise<unknown>>();
const api = { call } as unknown as ApiClient;
let stores: ClientStores;
let stopping: AbortController;
let reporter: DeliveryReporter;

beforeEach(() => {
  vi.useFakeTimers();
  call.mockReset().mockResolvedValue({ ok: true });
  stopping = new AbortController();
  const { signal } = stopping;
  const { store: outbox } = createAdasOutbox();
  const opened = Promise.resolve(undefined);
  stores = createClientStores(createHeadlessPlatform(), 'Ada', opened, outbox, signal);
  const timing = { deliveryGather: 250 };
  reporter = createDeliveryReporter({ api, stores, signal, timing });
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
});

const sent = () => call.mock.calls.map(([, { body }]) => (body as { rooms: object }).rooms);

test('gathers the newest messages of all chatrooms for one request', async () => {
  reporter.report('a', 1);
  reporter.report('a', 3);
  reporter.report('b', 2);
  reporter.report('a', 2);
  await vi.advanceTimersByTimeAsync(249);
  expect(sent()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([{ a: 3, b: 2 }]);
});

test('reports nothing twice', async () => {
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(250);
  reporter.report('a', 3);
  reporter.report('a', 2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([{ a: 3 }]);
});

test('does not report what was read in the meantime', async () => {
  reporter.report('a', 3);
  const room = withNewestPage('a', {
    chat: createChatState({ chatId: 'a', readSeq: 3 }, createMessage(3)),
    chatroomMessages: [createMessage(3)],
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: 0,
    volume: 'middle',
    hasMore: true,
  });
  const entry = { status: 'ready', room: { ...room, unsent: [] }, isLoadingOlder: false } as const;
  stores.shown.rooms.setState({ rooms: { a: entry } });
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([]);
});

test('reports again after a reconnect what could not be reported', async () => {
  call.mockRejectedValueOnce(new ApiError('offline', 0, 'offline'));
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  reporter.report('b', 1);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([{ a: 3 }, { a: 3, b: 1 }]);
  reporter.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(call).toHaveBeenCalledTimes(2);
});

test('does not retry if the server refuses, as an older one does', async () => {
  call.mockRejectedValueOnce(new ApiError('not_found', 404, 'not found'));
  reporter.report('a', 3);
  await vi.advanceTimersByTimeAsync(250);
  reporter.flush();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(call).toHaveBeenCalledTimes(1);
});

test('reports nothing after it was stopped', async () => {
  reporter.report('a', 3);
  stopping.abort();
  reporter.report('b', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent()).toEqual([]);
});

test('reports what is unread in a new list, unless the chat is not accepted or hidden', async () => {
  const chat = (chatId: string, status: 'accepted' | 'request', unreadMessagesCount: number) =>
    toChat(createChatState({ chatId, status, unreadMessagesCount }, createMessage(3)));
  stores.outbox.getState().addChange(chatStatus.create('blocked', { decision: 'block' }));
  const chats = [
    chat('unread', 'accepted', 1),
    chat('read', 'accepted', 0),
    chat('request', 'request', 1),
    chat('blocked', 'accepted', 1),
  ];
  stores.chats.getState().setFromCopy(chats);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([]);
  stores.chats.getState().setFetched(chats, new Map());
  await vi.advanceTimersByTimeAsync(250);
  expect(sent()).toEqual([{ unread: 3 }]);
});
