import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { beginChat } from '../chatting.ts';
import { createTestClient, type TestServer } from '../harness.ts';

/** Milliseconds between two messages of a sender, within the rate limit for messages. */
const SEND_INTERVAL = 250;
const SENDERS = 4;
const PROBE_INTERVAL = 20;
/** Timeout of a request in milliseconds. A slower request counts as this long. */
const TIMEOUT = 30_000;

/** Users who chat while a server is attacked. Serializable as JSON. */
export interface Bystanders {
  readonly senders: readonly { readonly cookie: string; readonly chatroom: string }[];
  readonly recipientCookie: string;
}

/** How an attack affects the bystanders. Times are in milliseconds. */
export interface Impact {
  /** The longest response time of `/healthz`. */
  readonly stall: number;
  /** Median time from sending a message to its live event at the recipient. */
  readonly messageMedian: number;
  readonly messageP99: number;
  /** Number of messages that the server accepted. */
  readonly messages: number;
  /** Number of requests of the bystanders that failed or were rejected. */
  readonly failures: number;
}

/** Creates the users and their chatrooms. */
export async function createBystanders(server: TestServer): Promise<Bystanders> {
  const recipient = await server.signIn('Recipient');
  const senders = [];
  for (let i = 0; i < SENDERS; i += 1) {
    const sender = await server.signIn(`Sender${i}`);
    senders.push({ cookie: sender.cookie, chatroom: await beginChat(sender, recipient) });
  }
  return { senders, recipientCookie: recipient.cookie };
}

/** Chats and probes the server until the signal is aborted. */
export async function observe(
  url: string,
  { senders, recipientCookie }: Bystanders,
  signal: AbortSignal,
): Promise<Impact> {
  const stalls: number[] = [0];
  const latencies: number[] = [];
  let failures = 0;
  const arrivals = new Map<string, () => void>();
  const socket = await connect(url, recipientCookie);
  socket.on('message', ({ content }: { content: string }) => arrivals.get(content)?.());

  async function repeat(every: number, step: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await step().catch(() => {
        failures += 1;
      });
      await sleep(every, undefined, { signal }).catch(() => undefined);
    }
  }

  async function probe(): Promise<void> {
    const start = performance.now();
    try {
      const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT) });
      await response.text();
      if (!response.ok) failures += 1;
    } finally {
      stalls.push(performance.now() - start);
    }
  }

  async function send(cookie: string, chatroom: string): Promise<void> {
    const content = randomUUID();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    arrivals.set(content, resolve);
    const start = performance.now();
    const body = { chatroom, content };
    const response = await createTestClient(url, cookie).request(
      'POST',
      '/api/messages/send',
      body,
    );
    if (response.status !== 201) throw new Error(`rejected with ${response.status}`);
    await Promise.race([arrived, sleep(TIMEOUT, undefined, { ref: false })]);
    latencies.push(performance.now() - start);
  }

  await Promise.all([
    repeat(PROBE_INTERVAL, probe),
    ...senders.map(({ cookie, chatroom }) => repeat(SEND_INTERVAL, () => send(cookie, chatroom))),
  ]);
  socket.disconnect();
  return {
    stall: Math.round(Math.max(...stalls)),
    messageMedian: quantile(latencies, 0.5),
    messageP99: quantile(latencies, 0.99),
    messages: latencies.length,
    failures,
  };
}

async function connect(url: string, cookie: string): Promise<Socket> {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    extraHeaders: { cookie },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
  return Math.round(value * 10) / 10;
}
