import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, type SearchBody, type SearchResponse } from '@parley/contract';
import { BUILT_SERVER } from '@parley/testing';
import { Pool } from 'undici';
import { startMeasuredServer } from '../measured-server.ts';
import { openSqlite, type SearchDatabase } from '../search-database.ts';
import { createRandom, createTexts } from '../search-texts.ts';
import { openSeeder, type SeededPair, type SeededUser } from '../seed.ts';
import { median, quantile } from '../statistics.ts';
import { sendThrough } from './messages.ts';

/** Number of chatrooms of the user who searches, and of each group of others. */
const ROOMS = 200;

/** Number of chatrooms in which sending is measured, with and without an index. */
const SENDING_ROOMS = 50;

/** How often each query is repeated. */
const REPETITIONS = 30;

/** Over which time the messages of a chatroom were sent, in milliseconds. */
const PERIOD = 2 * 365 * 24 * 60 * 60 * 1_000;

/** The newest messages of seeded chatrooms are at least twice as old, in milliseconds. */
const QUIET = 30 * 60 * 1_000;

/** Above this number of messages, the engine's own index takes minutes to build. */
const OWN_INDEX_MAX = 200_000;

/** A word in every tenth message of others and in few of the user's. */
const RARE = 'Donaudampfschifffahrt';
/** A word in every message of others and in none of the user's. */
const FOREIGN = 'Eisenbahnknotenpunkt';
/** A word in no message. */
const ABSENT = 'Eichhörnchenkobel';
/** A word in no message, all of whose trigrams are in almost every block of the seeded texts. */
const USUAL = 'storseisch';

/** What is measured, in a data folder with an index. */
export interface SearchData {
  readonly user: SeededUser;
  /** A chatroom of the user. */
  readonly chatroomId: string;
  /** Chatrooms that are indexed, and others that are not. */
  readonly indexed: readonly SeededPair[];
  readonly excluded: readonly SeededPair[];
  /** Messages that the background job indexes per second. */
  readonly indexedPerSecond: number;
}

/** The measurements of a query. Times are in milliseconds. */
export interface QueryFigures {
  readonly p50: number;
  /** Number of requests until there is a result, or until it is certain that there is none. */
  readonly requests: number;
}

/** The measurements of searches. Times are in milliseconds. */
export interface SearchFigures {
  /** 95th percentile over all requests of all queries. */
  readonly p95: number;
  readonly byQuery: ReadonlyMap<string, QueryFigures>;
  /** Time for a word that others have used, of that for a word in no message. */
  readonly influence: number;
  /** Median of a search that looks at each message of the user instead. */
  readonly scan: number;
  /** Bytes of the index per byte of text. */
  readonly indexRatio: number;
  /** The same word and influence with the engine's own index. Undefined with too many messages to build it. */
  readonly own:
    | { readonly name: string; readonly p50: number; readonly influence: number }
    | undefined;
}

/**
 * Creates the messages of a user, half as many of others that contain a word which the user searches in vain,
 * and chatrooms to send to. Waits until the server has indexed them.
 */
export async function prepareSearch(
  dataDir: string,
  env: Record<string, string>,
  count: number,
): Promise<SearchData> {
  const searched = seedMessages(dataDir, count);
  const pairs = seedPairs(dataDir);
  const server = await startMeasuredServer(BUILT_SERVER, env);
  try {
    const messages = count * 1.5 + SENDING_ROOMS * 1_000;
    return { ...searched, ...pairs, indexedPerSecond: await waitForIndex(dataDir, messages) };
  } finally {
    await server.stop();
  }
}

/** Measures searches. The server with the environment uses the database. */
export async function measureSearch(
  env: Record<string, string>,
  { user, chatroomId }: SearchData,
  database: SearchDatabase,
  count: number,
): Promise<SearchFigures> {
  const server = await startMeasuredServer(BUILT_SERVER, env);
  try {
    const queries: Readonly<Record<string, SearchBody>> = {
      'common word': { query: 'und' },
      'part of a rare word': { query: 'dampfschiff' },
      'word of others only': { query: FOREIGN },
      'word in no message': { query: ABSENT },
      'word in no message, of common trigrams': { query: USUAL },
      'two words': { query: 'donau kneipe' },
      pictures: { kind: 'image' },
      'two letters in a chatroom': { query: 'xy', chatroomId },
    };
    const byQuery = new Map<string, QueryFigures>();
    const all: number[] = [];
    for (const [name, body] of Object.entries(queries)) {
      const { times, requests } = await measureQuery(server.url, user, body);
      byQuery.set(name, { p50: median(times), requests });
      all.push(...times);
    }
    const timeOf = async (query: string) =>
      median((await measureQuery(server.url, user, { query })).times);
    const content = await database.query(
      `select sum(octet_length(content)) from messages
       join search_rooms on search_rooms.chatroom_id = messages.chatroom_id
       where indexed_seq < ${Number.MAX_SAFE_INTEGER}`,
    );
    return {
      p95: quantile(
        all.toSorted((a, b) => a - b),
        0.95,
      ),
      byQuery,
      influence: (await timeOf(FOREIGN)) / (await timeOf(ABSENT)),
      scan: await timeStatement(database, database.scan(user.id, ABSENT)),
      indexRatio: (await database.query(database.indexSize)) / content,
      own: count > OWN_INDEX_MAX ? undefined : await measureOwnIndex(database, user),
    };
  } finally {
    await server.stop();
  }
}

/** Measures searches with the index that the engine offers for parts of words. */
async function measureOwnIndex(database: SearchDatabase, user: SeededUser) {
  const { name, statements, search, removal } = database.trigrams;
  for (const statement of statements) await database.query(statement);
  const p50 = await timeStatement(database, search(user.id, ABSENT));
  const foreign = await timeStatement(database, search(user.id, FOREIGN));
  await database.query(removal);
  return { name, p50, influence: foreign / p50 };
}

/** Returns the share of messages per second that remains with an index. */
export async function measureIndexedSending(
  env: Record<string, string>,
  { indexed, excluded }: SearchData,
  rounds: number,
): Promise<number> {
  const texts = Array.from({ length: 1_000 }, createTexts(createRandom(4)));
  const send = async (pairs: readonly SeededPair[]) => {
    const size = { inFlight: 200, messages: 20_000, texts };
    return (await sendThrough(BUILT_SERVER, env, pairs, size)).perSecond;
  };
  const shares: number[] = [];
  // Alternates, so that changes of the machine's speed affect both alike.
  for (let round = 0; round < rounds; round += 1) {
    const without = await send(excluded);
    shares.push((await send(indexed)) / without);
  }
  return median(shares);
}

function seedPairs(dataDir: string): Pick<SearchData, 'indexed' | 'excluded'> {
  const textOf = createTexts(createRandom(3));
  const seeder = openSeeder(dataDir);
  const newestAt = Date.now() - 2 * QUIET;
  const createPairs = () =>
    seeder.transaction(() =>
      Array.from({ length: SENDING_ROOMS }, () => seeder.createPair(1_000, { textOf, newestAt })),
    );
  const [indexed, excluded] = [createPairs(), createPairs()];
  seeder.transaction(() => excluded.forEach((pair) => seeder.excludeFromSearch(pair.chatroomId)));
  seeder.close();
  return { indexed, excluded };
}

/** Creates the messages of a user, and half as many of others. */
function seedMessages(dataDir: string, count: number): { user: SeededUser; chatroomId: string } {
  const random = createRandom(1);
  const text = createTexts(random);
  const seeder = openSeeder(dataDir);
  const beginChats = (owner: SeededUser, total: number, textOf: () => string) => {
    const perChatroom = Math.ceil(total / ROOMS);
    return Array.from({ length: ROOMS }, (_, i) =>
      seeder.createChatroom(owner, seeder.createUser(), perChatroom, {
        textOf,
        newestAt: Date.now() - 2 * QUIET - i * 60_000,
        interval: Math.floor(PERIOD / perChatroom),
      }),
    );
  };
  const user = seeder.transaction(() => seeder.createUser());
  const own = () => {
    const chance = random();
    if (chance < 50 / count) return `${text()} ${RARE}`;
    return chance < 0.3 ? `${text()} und ${text()}` : text();
  };
  const ofOthers = () => `${text()} ${FOREIGN}${random() < 0.1 ? ` ${RARE}` : ''}`;
  const [chatroomId = ''] = seeder.transaction(() => beginChats(user, count, own));
  seeder.transaction(() => beginChats(seeder.createUser(), count / 2, ofOthers));
  seeder.close();
  return { user, chatroomId };
}

/** Waits until all seeded messages are indexed. Returns how many of `count` were indexed per second. */
async function waitForIndex(dataDir: string, count: number): Promise<number> {
  const database = openSqlite(dataDir);
  const startedAt = performance.now();
  // The last messages of chatrooms in which a user has just written are indexed only later.
  const quietSince = Date.now() - QUIET;
  for (;;) {
    const left = await database.query(
      `select count(*) from chatrooms as room left join search_rooms on search_rooms.chatroom_id = room.id
       join messages as newest on newest.chatroom_id = room.id and newest.seq = last_seq
       where last_seq > coalesce(indexed_seq, 0) and newest.created_at < ${quietSince}`,
    );
    if (left === 0) break;
    await sleep(500);
  }
  await database.close();
  return count / ((performance.now() - startedAt) / 1_000);
}

/** Repeats a search until it has a result or has looked at everything. */
async function measureQuery(
  url: string,
  user: SeededUser,
  body: SearchBody,
): Promise<{ times: number[]; requests: number }> {
  const pool = new Pool(url, { connections: 1 });
  const times: number[] = [];
  let requests = 0;
  for (let i = 0; i < REPETITIONS + 3; i += 1) {
    let cursor: string | undefined;
    requests = 0;
    do {
      const start = performance.now();
      const response = await pool.request({
        method: endpoints.searchMessages.method,
        path: endpoints.searchMessages.path,
        headers: { 'content-type': 'application/json', cookie: user.cookie },
        body: JSON.stringify({ ...body, ...(cursor !== undefined && { cursor }) }),
      });
      const found = (await response.body.json()) as SearchResponse;
      if (response.statusCode !== 200) throw new Error(JSON.stringify(found));
      requests += 1;
      if (i >= 3) times.push(performance.now() - start);
      cursor = found.hits.length === 0 ? found.cursor : undefined;
    } while (cursor !== undefined);
  }
  await pool.close();
  return { times, requests };
}

/** Returns the median time of a query in milliseconds. */
async function timeStatement(database: SearchDatabase, sql: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    await database.query(sql);
    times.push(performance.now() - start);
  }
  return median(times);
}
