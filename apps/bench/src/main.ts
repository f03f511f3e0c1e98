// `npm run bench`: starts the built server with an empty data folder, puts load on it from another
// process and prints one table. Options measure only a part, as in `npm run bench -- --typing`:
//
// --postgres        several servers on PostgreSQL
// --typing          users who type
// --presence        users who go online and offline
// --changes         edits, reactions and deletions of users with many chats
// --search=1000000  searches of a user with so many messages; with `--postgres` on PostgreSQL
//
// Compare only figures of the same run, as machines differ.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpointPath } from '@parley/contract';
import { BUILT_SERVER } from '@parley/testing';
import { runChild } from './child.ts';
import { measureFlush } from './flush.ts';
import { startMeasuredServer } from './measured-server.ts';
import type { LoadResult } from './load.ts';
import { measureChanging } from './scenarios/many-changes.ts';
import { sendThrough, sendThroughBaseline } from './scenarios/messages.ts';
import { measurePostgres, withPostgres, type PostgresRound } from './scenarios/postgres.ts';
import { measureRequests } from './scenarios/reading.ts';
import { openBrowser, scroll, type ScrollResult } from './scenarios/scrolling.ts';
import {
  measureIndexedSending,
  measureSearch,
  prepareSearch,
  type SearchData,
  type SearchFigures,
} from './scenarios/searching.ts';
import { measureStarts, type StartTimes } from './scenarios/starting.ts';
import { openPostgres, openSqlite, type SearchDatabase } from './search-database.ts';
import { openSeeder } from './seed.ts';
import { median, quantile } from './statistics.ts';

const ROUNDS = 3;
const IDLE_USERS = 5_000;
const TYPISTS = 1_000;
/** Number of messages of the user who searches; others have as many. */
const SEARCHED_MESSAGES = 100_000;
/** Users who go online and offline, and the number of partners of each. */
const COMING_USERS = 1_000;
const PARTNERS = 50;
/** How long the server's share of a core is measured, in seconds. */
const SHARE_SECONDS = 20;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const env = { PARLEY_DATA: dataDir, PARLEY_RATE_LIMITS: 'false', PARLEY_LOG_LEVEL: 'error' };
const isPostgres = process.argv.includes('--postgres');
const searchArgument = process.argv.find((each) => each.startsWith('--search='))?.slice(9);
const rows: { figure: string; measured: string; target: string }[] = [];
const addRow = (figure: string, measured: string, target: string) =>
  rows.push({ figure, measured, target });
const ms = (value: number, digits = 1) => `${value.toFixed(digits)} ms`;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;

try {
  await prepare();
  if (searchArgument !== undefined) await measureSearching(Number(searchArgument));
  else if (isPostgres) await measureServers();
  else if (process.argv.includes('--typing')) await measureTyping();
  else if (process.argv.includes('--presence')) await measurePresence();
  else if (process.argv.includes('--changes')) await measureChanges();
  else await measureAll();
} finally {
  // Also what was measured before a failure.
  console.table(rows);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts the server once, which creates its database. */
async function prepare() {
  const server = await startMeasuredServer(BUILT_SERVER, env);
  await server.stop();
}

async function measureAll() {
  await measureMessages();
  await measureReading();
  await measureIdle();
  await measureTyping();
  await measurePresence();
  await measureChanges();
  await measureSearching(SEARCHED_MESSAGES);
  await measureStart();
  await measureScrolling();
  await measureWebStarts();
}

async function measureServers() {
  const seeder = openSeeder(dataDir);
  const pairs = seeder.transaction(() => Array.from({ length: 50 }, () => seeder.createPair()));
  seeder.close();

  const throughput = await measurePostgres(
    env,
    pairs,
    { inFlight: 200, messages: 10_000 },
    { rounds: ROUNDS, serversMax: 3 },
  );
  const rate = (of: (round: PostgresRound) => LoadResult | undefined) =>
    median(throughput.map((round) => of(round)?.perSecond ?? 0));
  const baseline = rate((round) => round.baseline);
  addRow('durable messages, 200 in flight, SQLite', perSecond(rate((round) => round.sqlite)), '');
  addRow('  bare insert into PostgreSQL', perSecond(baseline), '');
  for (const count of [1, 2, 3]) {
    const measured = rate((round) => round.servers[count - 1]);
    const share = `${Math.round((measured / baseline) * 100)} %`;
    const target = count === 1 ? '2,000/s, 60 %' : '';
    addRow(`  PostgreSQL, servers: ${count}`, `${perSecond(measured)}, ${share}`, target);
  }

  const [latency] = await measurePostgres(
    env,
    pairs,
    { inFlight: 50, messages: 5_000 },
    { rounds: 1, serversMax: 3 },
  );
  latency?.servers.forEach(({ deliveryTimes }, index) => {
    const measured = `${ms(quantile(deliveryTimes, 0.5))} / ${ms(quantile(deliveryTimes, 0.99))}`;
    addRow(`delivery, 50 in flight, servers: ${index + 1}, p50 / p99`, measured, 'p99 80 ms');
  });
}

async function measureMessages() {
  const seeder = openSeeder(dataDir);
  const pairs = seeder.transaction(() => Array.from({ length: 50 }, () => seeder.createPair()));
  seeder.close();

  const size = { inFlight: 200, messages: 20_000 };
  const product: number[] = [];
  const baseline: number[] = [];
  // Alternates, so that changes of the machine's speed affect the product and the baseline alike.
  for (let round = 0; round < ROUNDS; round++) {
    baseline.push((await sendThroughBaseline(env, pairs, size)).perSecond);
    product.push((await sendThrough(BUILT_SERVER, env, pairs, size)).perSecond);
  }
  const share = median(product) / median(baseline);
  addRow('durable messages, 200 in flight', perSecond(median(product)), '3,000/s');
  addRow('  baseline, same run', perSecond(median(baseline)), '');
  addRow('  share of the baseline', `${Math.round(share * 100)} %`, '60 %');

  const concurrent = await sendThrough(BUILT_SERVER, env, pairs, {
    inFlight: 50,
    messages: 10_000,
  });
  addRow('delivery, 50 in flight, p50', ms(quantile(concurrent.deliveryTimes, 0.5)), '15 ms');
  addRow('delivery, 50 in flight, p99', ms(quantile(concurrent.deliveryTimes, 0.99)), '60 ms');

  const flush = measureFlush(dataDir);
  const sequential = await sendThrough(BUILT_SERVER, env, pairs, { inFlight: 1, messages: 1_000 });
  addRow(
    'one at a time, p50',
    ms(quantile(sequential.responseTimes, 0.5)),
    `${ms(flush + 1.5)} (flush + 1.5)`,
  );
}

async function measureReading() {
  const seeder = openSeeder(dataDir);
  const { small, lively, large, busy } = seeder.transaction(() => {
    const user = seeder.createUser();
    for (let i = 0; i < 1_000; i++) seeder.createChatroom(user, seeder.createUser(), 3);
    const lively = seeder.createPair(100);
    seeder.addRepliesAndReactions(lively);
    return {
      small: seeder.createPair(100),
      lively,
      large: seeder.createPair(100_000),
      busy: user,
    };
  });
  seeder.close();

  const server = await startMeasuredServer(BUILT_SERVER, env);
  const measurePage = ({ chatroomId, users: [{ cookie }] }: typeof small, query = '') =>
    measureRequests(server.url, endpointPath('getChatroom', { id: chatroomId }) + query, cookie);
  const smallTime = await measurePage(small);
  const livelyTime = await measurePage(lively);
  const largeTime = await measurePage(large);
  const middleTime = await measurePage(large, '?around=50000');
  addRow('page of 50 in a room of 100, p99', ms(smallTime), '30 ms');
  addRow('  with replies and reactions', ms(livelyTime), `${ms(smallTime * 1.5)} (1.5 ×)`);
  addRow('page of 50 in a room of 100,000, p99', ms(largeTime), `${ms(smallTime * 2)} (2 ×)`);
  addRow('  window in its middle', ms(middleTime), `${ms(largeTime * 1.2)} (1.2 ×)`);
  const list = await measureRequests(server.url, endpointPath('listChats'), busy.cookie);
  addRow('chat list with 1,000 rooms, p99', ms(list), '30 ms');
  await server.stop();
}

async function measureIdle() {
  const seeder = openSeeder(dataDir);
  const cookies = seeder.transaction(() =>
    Array.from({ length: IDLE_USERS }, () => seeder.createUser().cookie),
  );
  seeder.close();

  const server = await startMeasuredServer(BUILT_SERVER, env);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const before = await server.rss();
  const connections = await runChild('idle.ts', { url: server.url, cookies });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const after = await server.rss();
  connections.end();
  await server.stop();
  if (before === undefined || after === undefined) return;
  addRow('idle server, resident', `${Math.round(before / 2 ** 20)} MiB`, '120 MiB');
  const each = (after - before) / IDLE_USERS / 1024;
  addRow(
    `a connected idle user, of ${IDLE_USERS.toLocaleString('en')}`,
    `${each.toFixed(1)} KiB`,
    '20 KiB',
  );
}

async function measureTyping() {
  const seeder = openSeeder(dataDir);
  const pairs = seeder.transaction(() =>
    Array.from({ length: TYPISTS }, () => seeder.createPair()),
  );
  seeder.close();
  await measureShare(`${TYPISTS.toLocaleString('en')} users typing`, 'typists.ts', { pairs });
}

/** Measures users who go online and offline, each of whose partners is told. */
async function measurePresence() {
  const seeder = openSeeder(dataDir);
  const users = seeder.transaction(() => {
    const created = Array.from({ length: COMING_USERS }, () => seeder.createUser());
    // Each user has the next ones of the circle as partners, and is a partner of the previous ones.
    for (const [i, user] of created.entries()) {
      for (let next = 1; next <= PARTNERS / 2; next++) {
        seeder.createChatroom(user, created[(i + next) % COMING_USERS] ?? user);
      }
    }
    return created;
  });
  seeder.close();
  const cookies = users.map(({ cookie }) => cookie);
  const what = `${COMING_USERS.toLocaleString('en')} users on and off each minute, ${PARTNERS} partners`;
  await measureShare(what, 'coming-users.ts', { cookies });
}

/** Measures the share of a core that the server uses while a program acts as its users. */
async function measureShare(what: string, program: string, job: object) {
  const server = await startMeasuredServer(BUILT_SERVER, env);
  const users = await runChild(program, { url: server.url, ...job });
  const before = await server.cpuTime();
  await new Promise((resolve) => setTimeout(resolve, SHARE_SECONDS * 1_000));
  const after = await server.cpuTime();
  users.end();
  await server.stop();
  if (before === undefined || after === undefined) return;
  const share = ((after - before) / SHARE_SECONDS) * 100;
  addRow(`${what}, of one core`, `${share.toFixed(1)} %`, '10 %');
}

async function measureChanges() {
  const figures = await measureChanging(env);
  if (figures === undefined) return;
  const { users, chats, server, clients, copyingClients, listRequests } = figures;
  addRow(
    `change by one of ${users} users with ${chats} chats, CPU of the server`,
    ms(server, 2),
    '',
  );
  addRow('  CPU of all clients', ms(clients, 2), '');
  addRow('  CPU of all clients with offline copies', ms(copyingClients, 2), '');
  addRow('  requests for the chat list', String(listRequests), '0');
}

async function measureSearching(count: number) {
  const data = await prepareSearch(dataDir, env, count);
  const measure = async (serverEnv: Record<string, string>, database: SearchDatabase) => {
    try {
      addSearchRows(count, data, await measureSearch(serverEnv, data, database, count));
    } finally {
      await database.close();
    }
    const share = await measureIndexedSending(serverEnv, data, ROUNDS);
    addRow('sending with an index, of without', percent(share), '85 %');
  };
  if (!isPostgres) return measure(env, openSqlite(dataDir));
  await withPostgres(env, 1, async ([serverEnv = env], databaseUrl) =>
    measure(serverEnv, await openPostgres(databaseUrl)),
  );
}

function addSearchRows(count: number, data: SearchData, figures: SearchFigures) {
  const engine = isPostgres ? 'PostgreSQL' : 'SQLite';
  const what = `search in ${count.toLocaleString('en')} own messages, ${engine}`;
  addRow(`${what}, p95`, ms(figures.p95), '50 ms');
  for (const [query, { p50, requests }] of figures.byQuery) {
    addRow(`  ${query}, p50`, `${ms(p50)}${requests > 1 ? `, ${requests} requests` : ''}`, '');
  }
  addRow('  word of others, of a word in no message', percent(figures.influence), '100 %');
  addRow('  scan without an index, p50', ms(figures.scan), '');
  if (figures.own) {
    const { name, p50, influence } = figures.own;
    addRow(`  word in no message with ${name}, p50`, ms(p50), '');
    addRow('    word of others, of that', percent(influence), '');
  }
  addRow('  index, of the size of the texts', `${figures.indexRatio.toFixed(1)} ×`, '4 ×');
  addRow('  indexing of old messages, SQLite', perSecond(data.indexedPerSecond), '');
}

async function measureStart() {
  const seeder = openSeeder(dataDir);
  seeder.transaction(() => {
    for (let i = 0; i < 100; i++) seeder.createPair(9_000);
  });
  seeder.close();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const server = await startMeasuredServer(BUILT_SERVER, env);
    times.push(server.startMs);
    await server.stop();
  }
  addRow('start to the first 200, a million messages', ms(median(times)), '500 ms');
}

async function measureScrolling() {
  const browser = await openBrowser();
  if (!browser) {
    addRow('scrolling', 'no browser found', '50 ms');
    return;
  }
  const seeder = openSeeder(dataDir);
  const { long, busy } = seeder.transaction(() => {
    const user = seeder.createUser();
    for (let i = 0; i < 1_000; i++) seeder.createChatroom(user, seeder.createUser(), 1);
    return { long: seeder.createPair(10_000), busy: user };
  });
  seeder.close();
  const server = await startMeasuredServer(BUILT_SERVER, env);
  const { url } = server;
  const addRows = (what: string, { p99, rows: maxRows, heap }: ScrollResult) => {
    addRow(`scrolling ${what}, time between frames, p99`, ms(p99), '50 ms');
    addRow('  rows in the document, heap', `${maxRows}, ${Math.round(heap / 2 ** 20)} MiB`, '');
  };
  const [{ cookie }] = long.users;
  const path = `/chatarea/chats/${long.chatroomId}`;
  const room = { url, path, cookie, row: '[data-message]', step: -600, steps: 1_000 };
  addRows('10,000 messages', await scroll(browser, room));
  const list = { url, path: '/chatarea', cookie: busy.cookie, row: '[data-chat]' };
  addRows('1,000 chats', await scroll(browser, { ...list, step: 300, steps: 240 }));
  await browser.close();
  await server.stop();
}

/**
 * Measures the starts of the web client on a slow device and network. The targets in the table are
 * goals for the next version.
 */
async function measureWebStarts() {
  const browser = await openBrowser();
  if (!browser) {
    addRow('starts of the web client', 'no browser found', '');
    return;
  }
  const seeder = openSeeder(dataDir);
  const user = seeder.transaction(() => {
    const created = seeder.createUser();
    for (let i = 0; i < 50; i++) seeder.createChatroom(created, seeder.createUser(), 3);
    return created;
  });
  seeder.close();
  const server = await startMeasuredServer(BUILT_SERVER, env);
  const starts = await measureStarts(browser, server.url, user, server.stop);
  await browser.close();
  const seconds = ({ painted, usable }: StartTimes) =>
    `${(painted / 1_000).toFixed(1)} / ${(usable / 1_000).toFixed(1)} s`;
  const what = 'first paint / usable';
  addRow(`guest's first start, Fast 3G, CPU ÷ 4, ${what}`, seconds(starts.guest), '1.5 / 3.0 s');
  addRow(`  user's first start, ${what}`, seconds(starts.first), '1.5 / 4.0 s');
  addRow(`  user's next start, ${what}`, seconds(starts.next), '0.3 / 0.8 s');
  addRow(`  user's next start without a server, ${what}`, seconds(starts.offline), '');
}
