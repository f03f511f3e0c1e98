import type { ChangedChat, MarkAsReadBody } from '@parley/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChatState } from '../../test/create-chat-state.ts';
import { createApiClient } from '../api/client.ts';
import { createReadSender, type ReadSender } from './read-sender.ts';

let sender: ReadSender;
/** The server's next responses. After the last one, it accepts every request. */
let responses: (() => Response)[];
let requests: string[];
let confirmed: ChangedChat[];
let failed: [chatroomId: string, code: unknown, isTemporary: boolean][];

const refuse = (status: number, code: string) => () =>
  Response.json({ errorMessage: 'no', code }, { status });
/** Creates the server's response to a read position in the chatroom `a`. */
const toResponse = (readSeq: number): ChangedChat => ({
  chat: createChatState({ chatId: 'a', memberRev: readSeq, readSeq }),
});
const lose = (): never => {
  throw new TypeError('fetch failed');
};

// The long timeout is for slow machines. The tests do not depend on speed.
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 2 });

beforeEach(() => {
  responses = [];
  requests = [];
  confirmed = [];
  failed = [];
  sender = createReadSender({
    api: createApiClient({
      origin: 'http://localhost',
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { seq } = (await request.json()) as NonNullable<MarkAsReadBody>;
        requests.push(`${new URL(request.url).pathname} ${seq}`);
        return responses.shift()?.() ?? Response.json(toResponse(seq ?? 0));
      },
    }),
    onConfirmed: (response) => confirmed.push(response),
    onFailed: (chatroomId, error, isTemporary) =>
      failed.push([chatroomId, (error as { code?: unknown }).code, isTemporary]),
    timing: { sendRetryMin: 1, sendRetryMax: 4 },
  });
});

afterEach(() => sender.stop());

test('sends a read position', async () => {
  await sender.send('a', 3);
  expect(requests).toEqual(['/api/chatrooms/chats/a/mark-as-read 3']);
  expect(confirmed).toEqual([toResponse(3)]);
  await sender.flush();
  expect(requests).toHaveLength(1);
});

test('retries a failed request and reports it once', async () => {
  responses = [lose, lose, refuse(503, 'unavailable')];
  await sender.send('a', 3);
  expect(failed).toEqual([['a', 'offline', true]]);
  await until(() => expect(confirmed).toHaveLength(1));
  expect(requests).toHaveLength(4);
  expect(failed).toHaveLength(1);
});

test('a flush retries immediately', async () => {
  responses = [lose];
  sender.stop();
  sender = createReadSender({
    api: createApiClient({
      origin: 'http://localhost',
      fetch: async () => responses.shift()?.() ?? Response.json(toResponse(3)),
    }),
    onConfirmed: (response) => confirmed.push(response),
    onFailed: () => undefined,
  });
  await sender.send('a', 3);
  expect(confirmed).toEqual([]);
  await sender.flush();
  expect(confirmed).toHaveLength(1);
});

test('retries only the latest read position of a chatroom', async () => {
  responses = [lose];
  await sender.send('a', 3);
  await sender.send('a', 5);
  await sender.flush();
  expect(requests.at(-1)).toBe('/api/chatrooms/chats/a/mark-as-read 5');
  expect(confirmed.at(-1)).toEqual(toResponse(5));
});

test('does not retry a permanently refused request', async () => {
  responses = [refuse(400, 'invalid_request')];
  await sender.send('a', 3);
  await sender.flush();
  expect(failed).toEqual([['a', 'invalid_request', false]]);
  expect(requests).toHaveLength(1);
});

test('sends nothing after it is stopped', async () => {
  responses = [lose];
  await sender.send('a', 3);
  sender.stop();
  await sender.flush();
  await sender.send('b', 1);
  expect(requests).toHaveLength(1);
  expect(confirmed).toEqual([]);
});

test('sends a position of before a reload once, and reports only a refusal', async () => {
  responses = [lose];
  sender.ensure('a', 3);
  sender.ensure('a', 3);
  await until(() => expect(confirmed).toEqual([toResponse(3)]));
  expect(requests).toHaveLength(2);
  expect(failed).toEqual([]);
});
