import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  findLoadedChatroom,
  type Client,
  type LoadedChatroom,
} from '@parley/client';
import { endpoints } from '@parley/contract';
import type { SeededPair, SeededUser } from './seed.ts';

/** Pairs of users whose clients connect. */
export interface ConnectionJob {
  readonly url: string;
  readonly pairs: readonly SeededPair[];
}

/** Changes that the connected clients make. */
export interface ChangeJob {
  readonly changesPerRoom: number;
  /** Number of changes per second in all chatrooms, at most. */
  readonly perSecond: number;
  /** Whether the clients keep an offline copy. */
  readonly hasOfflineCopy: boolean;
}

/** What the changes have cost. */
export interface ChangeCosts {
  /** CPU time of this process in seconds. */
  readonly cpuTime: number;
  /** Number of requests for the chat list. */
  readonly listRequests: number;
}

/** A chatroom that is open in the clients of both members. */
interface OpenChatroom {
  readonly id: string;
  readonly members: readonly [Client, Client];
}

interface Observable<State> {
  readonly getState: () => State;
  readonly subscribe: (listener: (state: State) => void) => () => void;
}

const CONCURRENCY = 20;
/** Milliseconds after which a change that has not arrived counts as lost. */
const TIMEOUT = 60_000;
/** The kinds of changes, which each chatroom goes through in turn. */
const CYCLE = [
  'edit',
  'react',
  'edit',
  'react',
  'edit',
  'react',
  'edit',
  'react',
  'delete',
] as const;

const chatrooms: OpenChatroom[] = [];
let listRequests = 0;
/** Number of changes made so far in each chatroom. */
let made = 0;

function start(url: string, { name: username, cookie }: SeededUser): Client {
  const send: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set('cookie', cookie);
    const { method, path } = endpoints.listChats;
    if (request.method === method && new URL(request.url).pathname === path) listRequests += 1;
    return fetch(request);
  };
  const session = { fetch: send, headers: () => ({ cookie }) };
  return createClient({
    api: createApiClient({ origin: url, fetch: send }),
    username,
    platform: createHeadlessPlatform(session, { isFocused: () => true }),
    isOfflineCopyEnabled: false,
  });
}

async function open(url: string, { chatroomId: id, users }: SeededPair): Promise<OpenChatroom> {
  const members = [start(url, users[0]), start(url, users[1])] as const;
  for (const client of members) {
    client.view.getState().setView(id, true);
    await client.open(id);
    await until(client.connection, ({ status }) => status === 'online');
  }
  return { id, members };
}

/** Resolves once the state of a store meets a condition. */
function until<State>(store: Observable<State>, isMet: (state: State) => boolean): Promise<void> {
  if (isMet(store.getState())) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error('a client waited in vain')), TIMEOUT);
    const stop = store.subscribe((state) => {
      if (!isMet(state)) return;
      clearTimeout(timeout);
      stop();
      resolve();
    });
  });
}

/** Connects the clients and opens their chatrooms. */
async function connect({ url, pairs }: ConnectionJob): Promise<void> {
  for (let i = 0; i < pairs.length; i += CONCURRENCY) {
    const opened = await Promise.all(
      pairs.slice(i, i + CONCURRENCY).map((pair) => open(url, pair)),
    );
    chatrooms.push(...opened);
  }
}

function roomOf(client: Client, id: string): LoadedChatroom {
  const room = findLoadedChatroom(client.rooms.getState(), id);
  if (room === undefined) throw new Error('a chatroom is not loaded');
  return room;
}

/** Makes a change of one of the newest messages. Resolves once both members' clients show it as stored. */
async function change({ id, members }: OpenChatroom, count: number, turn: number): Promise<void> {
  const client = members[count % 2 === 0 ? 0 : 1];
  const { messages, rev } = roomOf(client, id);
  const isOwn = (message: (typeof messages)[number]) => message.sender.username === client.username;
  const kind = CYCLE[turn % CYCLE.length];
  const message = messages.findLast((each) => isOwn(each) === (kind !== 'react'));
  if (message === undefined) throw new Error('a chatroom has too few messages');
  if (kind === 'edit') client.edit(message, `Edited ${count} times`);
  else if (kind === 'delete') client.remove(message);
  else client.react(message, '👍', (message.reactions ?? []).length === 0);
  for (const member of members) await until(member.rooms, () => roomOf(member, id).rev > rev);
}

/** Makes changes at a fixed rate, or slower in chatrooms where the one before has not arrived yet. */
async function makeChanges(job: ChangeJob): Promise<ChangeCosts> {
  const { changesPerRoom, perSecond, hasOfflineCopy } = job;
  for (const { members } of chatrooms) {
    for (const client of members) client.setOfflineCopyEnabled(hasOfflineCopy);
  }
  listRequests = 0;
  const interval = (chatrooms.length / perSecond) * 1_000;
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    chatrooms.map(async (room, index) => {
      for (let i = 0; i < changesPerRoom; i++) {
        const dueAt = startedAt + (i + index / chatrooms.length) * interval;
        await sleep(Math.max(0, dueAt - performance.now()));
        // The chatrooms go through the kinds at different times.
        await change(room, made + i, made + i + index);
      }
    }),
  );
  made += changesPerRoom;
  const { user, system } = process.cpuUsage(before);
  return { cpuTime: (user + system) / 1_000_000, listRequests };
}

process.on('message', (job: ConnectionJob | ChangeJob) => {
  const task = 'url' in job ? connect(job).then(() => 'connected') : makeChanges(job);
  task.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
