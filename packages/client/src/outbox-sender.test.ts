import type { Message, SendBody } from '@parley/contract';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiClient } from './api/client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import { createOutboxStore } from './stores/outbox.ts';
import { createOutboxSender, type OutboxSender } from './outbox-sender.ts';

/** What the server does with the next request; without one it takes the message. */
type Answer = { status: number; code: string } | 'cut' | 'answer lost';

let server: Server;
let origin: string;
let answers: Answer[];
/** Every request that reached the server, in order. */
let asked: string[];
/** What the server has, each message once. */
let stored: string[];
let sent: Message[];
let refused: string[];
/** How often it cannot be told who is signed in. */
let unconfirmed: number;
let outbox: ReturnType<typeof createOutboxStore>;
let sender: OutboxSender;

function write(clientId: string, chatroom = 'a'): void {
  outbox.getState().add({
    clientId,
    chatroom,
    content: clientId,
    createdAt: '2025-03-20T09:00:00.000Z',
    state: 'waiting',
  });
}

// Machines may be slow: only what happens counts, not when.
vi.setConfig({ testTimeout: 60_000 });
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

const states = () => outbox.getState().entries.map(({ clientId, state }) => [clientId, state]);

beforeEach(async () => {
  answers = [];
  asked = [];
  stored = [];
  sent = [];
  refused = [];
  unconfirmed = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { clientId = '', chatroom, content } = JSON.parse(body) as SendBody;
      asked.push(clientId);
      const answer = answers.shift();
      if (answer === 'cut') {
        request.socket.destroy();
        return;
      }
      if (typeof answer === 'object') {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ errorMessage: 'no', code: answer.code }));
        return;
      }
      if (!stored.includes(clientId)) stored.push(clientId);
      if (answer === 'answer lost') {
        request.socket.destroy();
        return;
      }
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ _id: clientId, clientId, chatroom, content }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
  const platform = createHeadlessPlatform();
  outbox = createOutboxStore(platform.storage, 'ada');
  sender = createOutboxSender({
    api: createApiClient({ origin }),
    outbox,
    platform,
    confirm: async () => {
      if (unconfirmed-- > 0) throw new Error('another user may be signed in');
    },
    onSent: (message) => sent.push(message),
    onRefused: ({ clientId }, { code }) => refused.push(`${clientId} ${code}`),
  });
});

afterEach(() => {
  sender.stop();
  server.closeAllConnections();
  server.close();
});

describe('the outbox', () => {
  it('sends each message once, a room in order, rooms side by side', async () => {
    for (const id of ['a1', 'a2', 'a3']) write(id);
    write('b1', 'b');
    sender.flush();
    sender.flush();
    await until(() => expect(states()).toEqual([]));
    expect(stored.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(asked.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(sent).toHaveLength(4);
  });

  it('waits while no response comes and then sends in order, even if only the response was lost', async () => {
    answers = ['answer lost'];
    for (const id of ['a1', 'a2']) write(id);
    sender.flush();
    await until(() => expect(asked).toContain('a1'));
    sender.flush();
    await until(() => expect(states()).toEqual([]));
    expect(refused).toEqual([]);
    expect(stored).toEqual(['a1', 'a2']);
    expect(asked).toEqual(['a1', 'a1', 'a2']);
  });

  it('tries again by itself', async () => {
    answers = ['cut', { status: 503, code: 'unavailable' }];
    write('a1');
    sender.flush();
    await until(() => expect(states()).toEqual([]));
    expect(asked).toEqual(['a1', 'a1', 'a1']);
  });

  it('marks what was refused for good and goes on with the next', async () => {
    answers = [{ status: 403, code: 'partner_deleted' }];
    for (const id of ['a1', 'a2']) write(id);
    sender.flush();
    await until(() => expect(states()).toEqual([['a1', 'failed']]));
    expect(refused).toEqual(['a1 partner_deleted']);
    expect(stored).toEqual(['a2']);

    outbox.getState().retry('a1');
    sender.flush();
    await until(() => expect(states()).toEqual([]));
    expect(stored).toEqual(['a2', 'a1']);
  });

  it('sends nothing until it is certain who is signed in', async () => {
    unconfirmed = 2;
    write('a1');
    sender.flush();
    await until(() => expect(unconfirmed).toBe(1));
    expect(states()).toEqual([['a1', 'waiting']]);
    await until(() => expect(states()).toEqual([]));
    expect(unconfirmed).toBeLessThan(0);
    expect(asked).toEqual(['a1']);
  });

  it('keeps a message for the next sign-in when the session is over', async () => {
    answers = [{ status: 401, code: 'unauthenticated' }];
    write('a1');
    sender.flush();
    await until(() => expect(asked).toEqual(['a1']));
    await until(() => expect(states()).toEqual([['a1', 'waiting']]));
    expect(refused).toEqual([]);
  });
});
