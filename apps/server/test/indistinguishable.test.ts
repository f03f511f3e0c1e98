import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongRun } from '@parley/testing/scope';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeConsent, beginChat, expectStatus, send } from './chatting.ts';
import { findDifference, spreadOf } from './distributions.ts';
import { addUpload } from './fixtures.ts';
import { startServer, type TestServer, type TestUser } from './harness.ts';
import { connectLive, type LiveClient } from './live.ts';
import { normalize } from './normalize.ts';
import { sample } from './samples.ts';
import { IS_ON_POSTGRES } from './server-group.ts';
import { until } from './until.ts';
import { upload } from './uploading.ts';

// A user must not notice that the partner has blocked them, or that a hidden account exists: not by
// a status, header, body or event, nor by the time that a response takes. The two sides take turns
// in random order. Requests are injected, because the network would only add noise.

/** Number of tries on each side whose times are compared. */
const TRIES = 1_000;
const WARM_UP = 100;
/** Attempts of the comparison of times, which chance and a busy machine affect. */
const ATTEMPTS = 3;
const TOLERANCE = IS_ON_POSTGRES
  ? { milliseconds: 0.1, share: 0.05 }
  : { milliseconds: 0.03, share: 0.03 };

/** In memory where possible, because waiting for a disk hides small differences. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let server: TestServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(FOLDER, 'parley-test-'));
  server = await startServer({}, dataDir);
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  payload?: object;
}

interface Outcome {
  /** In milliseconds. */
  time: number;
  body: Record<string, unknown>;
  /** Everything that the client sees, without times and with the names of the side replaced. */
  seen: string;
}

/** One of two situations that a user must not be able to tell apart. */
abstract class Side {
  abstract readonly user: TestUser;
  /** Words that differ between the sides. */
  abstract readonly words: readonly string[];

  async request({ method, url, payload }: Request): Promise<Outcome> {
    const startedAt = performance.now();
    const response = await server.app.inject({
      method,
      url,
      headers: { cookie: this.user.cookie },
      ...(payload !== undefined && { payload }),
    });
    const time = performance.now() - startedAt;
    const { date: _date, etag: _etag, ...headers } = response.headers;
    const isText = /json|text/.test(String(headers['content-type']));
    const seen = [
      response.statusCode,
      headers,
      isText ? response.body : response.rawPayload.length,
    ];
    return { time, body: isText ? response.json() : {}, seen: normalize(seen, this.words) };
  }
}

/** Sends a request of a side and returns the outcome. */
type Action<S extends Side> = (side: S, i: number) => Promise<Outcome>;

/** Times by the name of the action and the side. */
type Times = Map<string, [number[], number[]]>;

/**
 * Takes turns. Each turn runs the first action and one of the others on both sides, and expects the
 * same on both.
 */
async function takeTurns<S extends Side>(
  sides: readonly [S, S],
  actions: Readonly<Record<string, Action<S>>>,
  tries: number,
): Promise<Times> {
  const [first = '', ...others] = Object.keys(actions);
  const times: Times = new Map(Object.keys(actions).map((name) => [name, [[], []]]));
  for (let i = 0; i < tries; i += 1) {
    for (const name of [first, others[i % others.length]]) {
      const action = name === undefined ? undefined : actions[name];
      if (name === undefined || action === undefined) continue;
      const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
      const seen: string[] = [];
      for (const which of order) {
        const outcome = await action(sides[which as 0 | 1], i);
        times.get(name)?.[which as 0 | 1].push(outcome.time);
        seen[which] = outcome.seen;
      }
      expect(seen[0], name).toBe(seen[1]);
    }
  }
  return times;
}

/** Expects the same on both sides, in the long run also the same times. */
async function expectNoDifference<S extends Side>(
  sides: readonly [S, S],
  actions: Readonly<Record<string, Action<S>>>,
): Promise<void> {
  await takeTurns(sides, actions, WARM_UP);
  if (!isLongRun) return;
  let differences: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const times = await takeTurns(sides, actions, TRIES);
    differences = [...times].flatMap(([name, [a, b]]) => {
      const difference = findDifference(a, b, TOLERANCE);
      return difference === undefined ? [] : [`${name}: ${difference}`];
    });
    const [[, [a, b]] = ['', [[], []]]] = times;
    // A side that is slower by as little as can be measured here is noticed.
    const delay = Math.max(0.2, spreadOf(b));
    const delayed = a.map((time) => time + delay);
    expect(findDifference(delayed, b, TOLERANCE)).toBeDefined();
    if (differences.length === 0) return;
  }
  expect(differences).toEqual([]);
}

/** A user who writes to a partner. */
class Sender extends Side {
  readonly words: readonly string[];
  readonly user: TestUser;
  readonly partner: TestUser;
  readonly room: string;
  readonly live: LiveClient;
  readonly media: string;
  /** Code of an invitation of the partner. */
  readonly invitation: string;
  /** A message of the partner, or one of the user where the partner may send none. */
  readonly partnerMessage: string;
  /** The latest message and its `clientId`. */
  latest = { _id: '', clientId: '', content: '', rev: 0 };

  constructor(
    parts: Pick<
      Sender,
      'user' | 'partner' | 'room' | 'live' | 'media' | 'invitation' | 'partnerMessage'
    >,
  ) {
    super();
    this.user = parts.user;
    this.partner = parts.partner;
    this.words = [parts.user.username, parts.partner.username];
    this.room = parts.room;
    this.live = parts.live;
    this.media = parts.media;
    this.invitation = parts.invitation;
    this.partnerMessage = parts.partnerMessage;
  }

  /** Adds a reaction to a message in one turn and takes it back in the next. */
  react(messageId: string, emoji: string, turn: number): Promise<Outcome> {
    const payload = { messageId, emoji, isOn: turn % 2 === 0 };
    return this.request({ method: 'POST', url: '/api/messages/react', payload });
  }

  async send(content: string, clientId: string = randomUUID(), replyTo?: string): Promise<Outcome> {
    const payload = { chatroom: this.room, content, clientId, ...(replyTo && { replyTo }) };
    const outcome = await this.request({ method: 'POST', url: '/api/messages/send', payload });
    this.latest = { ...this.latest, ...outcome.body, clientId };
    return outcome;
  }
}

const SENDING: Readonly<Record<string, Action<Sender>>> = {
  send: (side, i) => side.send(`message ${i}`),
  reply: (side) => side.send('reply', randomUUID(), side.latest._id),
  replyToPartner: (side) => side.send('reply', randomUUID(), side.partnerMessage),
  retry: (side) => side.send(side.latest.content, side.latest.clientId),
  sendUpload: async (side) => side.send((await addUpload(server, side.user)).url),
  edit: (side, i) => {
    const payload = { messageId: side.latest._id, content: `edited ${i}` };
    return side.request({ method: 'PATCH', url: '/api/messages/edit', payload });
  },
  react: (side, i) => side.react(side.latest._id, '👍', i),
  reactToPartner: (side, i) => side.react(side.partnerMessage, i % 4 < 2 ? '👍' : '🙏', i),
  delete: (side) => {
    const payload = { messageId: side.latest._id };
    return side.request({ method: 'DELETE', url: '/api/messages/delete', payload });
  },
  open: (side) =>
    side.request({ method: 'GET', url: `/api/chatrooms/chats/${side.room}?limit=20` }),
  list: (side) => side.request({ method: 'GET', url: '/api/chatrooms/chats' }),
  changes: (side) => {
    const payload = { since: { [side.room]: Math.max(0, side.latest.rev - 5) } };
    return side.request({ method: 'POST', url: '/api/chatrooms/changes', payload });
  },
  markAsRead: (side) =>
    side.request({ method: 'POST', url: `/api/chatrooms/chats/${side.room}/mark-as-read` }),
  find: (side) => {
    const payload = { username: side.partner.username };
    return side.request({ method: 'POST', url: '/api/chatrooms/exist', payload });
  },
  create: (side, i) => {
    const payload = { partnerName: side.partner.username, content: `created ${i}` };
    return side.request({ method: 'POST', url: '/api/chatrooms/create', payload });
  },
  media: (side) => side.request({ method: 'GET', url: side.media }),
};

const ACTIONS: Readonly<Record<'accepted' | 'declined', typeof SENDING>> = {
  accepted: {
    ...SENDING,
    redeem: (side) => {
      const payload = { code: side.invitation };
      return side.request({ method: 'POST', url: '/api/invitations/redeem', payload });
    },
  },
  // Redeeming an invitation would accept the chat.
  declined: SENDING,
};

async function createSender(
  names: [string, string],
  state: 'accepted' | 'declined',
  isBlocked: boolean,
) {
  const [user, partner] = [await server.signIn(names[0]), await server.signIn(names[1])];
  const room = await beginChat(user, partner, 'first', { isRequest: state === 'declined' });
  // Sending a message would accept the request.
  const { _id: partnerMessage } = await send(state === 'declined' ? user : partner, room, 'second');
  if (state === 'declined') await changeConsent(partner, room, 'decline');
  if (isBlocked) await changeConsent(partner, room, 'block');
  const { url } = (await upload(user, 'image', sample('picture.png'))).body;
  const live = await connectLive(server, user);
  await send(user, room, url);
  const media = new URL(url, server.url).pathname;
  const created = await partner.request('POST', '/api/invitations', { isSingleUse: false });
  const invitation = created.body.code;
  return new Sender({ user, partner, room, live, media, invitation, partnerMessage });
}

describe.each(['accepted', 'declined'] as const)('in a chat that the partner has %s', (state) => {
  test('a user whom the partner has blocked notices no difference from an offline partner', async () => {
    const name = (word: string) => `${word}-${state}`;
    const sides = [
      await createSender([name('ada'), name('bob')], state, true),
      await createSender([name('eve'), name('dan')], state, false),
    ] as const;
    // The partner who blocks is online.
    const blocker = await connectLive(server, sides[0].partner);

    await expectNoDifference(sides, ACTIONS[state]);

    await expectSameEvents(sides);
    expect(blocker.events).toEqual([]);
  });
});

/** Expects another device of each sender to receive the same. */
async function expectSameEvents(sides: readonly [Sender, Sender]): Promise<void> {
  const [first, second] = sides.map(({ live }) => live.events) as [unknown[], unknown[]];
  await until(() => first.length === second.length && first.length > WARM_UP);
  expect(normalize(first, sides[0].words)).toBe(normalize(second, sides[1].words));
}

test('a user whose partner has deleted the chat notices nothing', async () => {
  const sides = [
    await createSender(['fay', 'gus'], 'accepted', false),
    await createSender(['hal', 'ivy'], 'accepted', false),
  ] as const;
  const [{ partner, room }] = sides;
  const deleted = await partner.request('POST', `/api/chatrooms/chats/${room}/delete`, { seq: 3 });
  expectStatus(deleted, 200);
  await expectNoDifference(sides, ACTIONS.accepted);
  await expectSameEvents(sides);
});

/** A user who searches for another user. */
class Searcher extends Side {
  readonly words: readonly string[];
  readonly user: TestUser;

  constructor(user: TestUser, wanted: string) {
    super();
    this.user = user;
    this.words = [wanted];
  }

  async post(url: string, payload: object): Promise<Outcome> {
    return this.request({ method: 'POST', url, payload });
  }
}

const SEARCHING: Readonly<Record<string, Action<Searcher>>> = {
  find: (side) => side.post('/api/chatrooms/exist', { username: side.words[0] }),
  create: (side) =>
    side.post('/api/chatrooms/create', { partnerName: side.words[0], content: 'hello' }),
};

test.each([
  ['hidden', { is_discoverable: 0 }],
  ['suspended', { suspended_at: 1 }],
])('a %s user cannot be distinguished from one who does not exist', async (name, columns) => {
  const hidden = await server.signIn(`${name}-user`);
  const searcher = await server.signIn(`for-${name}`);
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set(columns).where('id', '=', hidden.id).execute(),
  );
  const sides = [
    new Searcher(searcher, hidden.username),
    new Searcher(searcher, `${name}-none`),
  ] as const;
  await expectNoDifference(sides, SEARCHING);
});
