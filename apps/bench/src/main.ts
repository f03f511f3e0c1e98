// `npm run bench`: starts the built server on an empty data folder, drives it from another process
// and prints one table. Compare figures within one run only: machines differ.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpointPath } from '@parley/contract';
import { BUILT_SERVER } from '@parley/testing';
import { ask } from './child.ts';
import { flushTime } from './flush.ts';
import { startServer } from './measured-server.ts';
import { sendThrough, sendThroughBaseline } from './scenarios/messages.ts';
import { readingTime } from './scenarios/reading.ts';
import { openBrowser, scroll, type Scrolling } from './scenarios/scrolling.ts';
import { measureStarts, type Start } from './scenarios/starting.ts';
import { openSeed } from './seed.ts';
import { median, quantile } from './statistics.ts';

const ROUNDS = 3;
const IDLE_USERS = 5_000;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const env = { PARLEY_DATA: dataDir, PARLEY_RATE_LIMITS: 'false', PARLEY_LOG_LEVEL: 'error' };
const rows: { figure: string; measured: string; reach: string }[] = [];
const row = (figure: string, measured: string, reach: string) =>
  rows.push({ figure, measured, reach });
const ms = (value: number) => `${value.toFixed(1)} ms`;
const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;

try {
  await prepare();
  await measureMessages();
  await measureReading();
  await measureIdle();
  await measureStart();
  await measureScrolling();
  await measureWebStarts();
  console.table(rows);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/** Lets the server make its database. */
async function prepare() {
  const server = await startServer(BUILT_SERVER, env);
  await server.stop();
}

async function measureMessages() {
  const seed = openSeed(dataDir);
  const pairs = seed.together(() => Array.from({ length: 50 }, () => seed.pair()));
  seed.close();

  const crowd = { inFlight: 200, messages: 20_000 };
  const ours: number[] = [];
  const bare: number[] = [];
  // In turn, so that a change of the machine's speed meets both.
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await sendThroughBaseline(env, pairs, crowd)).perSecond);
    ours.push((await sendThrough(BUILT_SERVER, env, pairs, crowd)).perSecond);
  }
  const share = median(ours) / median(bare);
  row('durable messages, 200 in flight', perSecond(median(ours)), '3,000/s');
  row('  bare route, same run', perSecond(median(bare)), '');
  row('  share of the bare route', `${Math.round(share * 100)} %`, '60 %');

  const some = await sendThrough(BUILT_SERVER, env, pairs, { inFlight: 50, messages: 10_000 });
  row('delivery, 50 in flight, p50', ms(quantile(some.delivered, 0.5)), '15 ms');
  row('delivery, 50 in flight, p99', ms(quantile(some.delivered, 0.99)), '60 ms');

  const flush = flushTime(dataDir);
  const one = await sendThrough(BUILT_SERVER, env, pairs, { inFlight: 1, messages: 1_000 });
  row('one at a time, p50', ms(quantile(one.answered, 0.5)), `${ms(flush + 1.5)} (flush + 1.5)`);
}

async function measureReading() {
  const seed = openSeed(dataDir);
  const { small, large, busy } = seed.together(() => {
    const person = seed.user();
    for (let i = 0; i < 1_000; i++) seed.room(person, seed.user(), 3);
    return { small: seed.pair(100), large: seed.pair(100_000), busy: person };
  });
  seed.close();

  const server = await startServer(BUILT_SERVER, env);
  const pageOf = ({ room, users: [{ cookie }] }: typeof small) =>
    readingTime(server.url, endpointPath('getChatroom', { id: room }), cookie);
  const smallTime = await pageOf(small);
  const largeTime = await pageOf(large);
  row('page of 50 in a room of 100, p99', ms(smallTime), '30 ms');
  row('page of 50 in a room of 100,000, p99', ms(largeTime), `${ms(smallTime * 2)} (2 ×)`);
  const list = await readingTime(server.url, endpointPath('listChats'), busy.cookie);
  row('chat list with 1,000 rooms, p99', ms(list), '30 ms');
  await server.stop();
}

async function measureIdle() {
  const seed = openSeed(dataDir);
  const cookies = seed.together(() => Array.from({ length: IDLE_USERS }, () => seed.user().cookie));
  seed.close();

  const server = await startServer(BUILT_SERVER, env);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const before = await server.rss();
  const crowd = await ask('idle.ts', { url: server.url, cookies });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const after = await server.rss();
  crowd.end();
  await server.stop();
  if (before === undefined || after === undefined) return;
  row('idle server, resident', `${Math.round(before / 2 ** 20)} MiB`, '120 MiB');
  const each = (after - before) / IDLE_USERS / 1024;
  row(
    `a connected idle user, of ${IDLE_USERS.toLocaleString('en')}`,
    `${each.toFixed(1)} KiB`,
    '20 KiB',
  );
}

async function measureStart() {
  const seed = openSeed(dataDir);
  seed.together(() => {
    for (let i = 0; i < 100; i++) seed.pair(9_000);
  });
  seed.close();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const server = await startServer(BUILT_SERVER, env);
    times.push(server.startMs);
    await server.stop();
  }
  row('start to the first 200, a million messages', ms(median(times)), '500 ms');
}

async function measureScrolling() {
  const browser = await openBrowser();
  if (!browser) {
    row('scrolling', 'no browser found', '50 ms');
    return;
  }
  const seed = openSeed(dataDir);
  const { long, busy } = seed.together(() => {
    const person = seed.user();
    for (let i = 0; i < 1_000; i++) seed.room(person, seed.user(), 1);
    return { long: seed.pair(10_000), busy: person };
  });
  seed.close();
  const server = await startServer(BUILT_SERVER, env);
  const { url } = server;
  const show = (what: string, { p99, rows: most, heap }: Scrolling) => {
    row(`scrolling ${what}, time between frames, p99`, ms(p99), '50 ms');
    row('  rows in the document, heap', `${most}, ${Math.round(heap / 2 ** 20)} MiB`, '');
  };
  const [{ cookie }] = long.users;
  const path = `/chatarea/chats/${long.room}`;
  const room = { url, path, cookie, row: '[data-message]', step: -600, steps: 1_000 };
  show('10,000 messages', await scroll(browser, room));
  const list = { url, path: '/chatarea', cookie: busy.cookie, row: '[data-chat]' };
  show('1,000 chats', await scroll(browser, { ...list, step: 300, steps: 240 }));
  await browser.close();
  await server.stop();
}

/** On a slow device and network; reported beside the goals of the next version. */
async function measureWebStarts() {
  const browser = await openBrowser();
  if (!browser) {
    row('starts of the web client', 'no browser found', '');
    return;
  }
  const seed = openSeed(dataDir);
  const user = seed.together(() => {
    const person = seed.user();
    for (let i = 0; i < 50; i++) seed.room(person, seed.user(), 3);
    return person;
  });
  seed.close();
  const server = await startServer(BUILT_SERVER, env);
  const starts = await measureStarts(browser, server.url, user, server.stop);
  await browser.close();
  const seconds = ({ painted, usable }: Start) =>
    `${(painted / 1_000).toFixed(1)} / ${(usable / 1_000).toFixed(1)} s`;
  const what = 'first paint / usable';
  row(`guest's first start, Fast 3G, CPU ÷ 4, ${what}`, seconds(starts.guest), '1.5 / 3.0 s');
  row(`  user's first start, ${what}`, seconds(starts.first), '1.5 / 4.0 s');
  row(`  user's next start, ${what}`, seconds(starts.next), '0.3 / 0.8 s');
  row(`  user's next start without a server, ${what}`, seconds(starts.offline), '');
}
