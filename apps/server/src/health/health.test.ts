import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import SQLite from 'better-sqlite3';
import { join } from 'node:path';
import { beginChat } from '../../test/chatting.ts';
import { startFreshServer, type TestServer } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { sendRaw } from '../../test/raw-request.ts';
import { IS_ON_POSTGRES } from '../../test/server-group.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
afterEach(() => server.close());

// `process-faults.test.ts` covers failures of PostgreSQL.
test.skipIf(IS_ON_POSTGRES)(
  'the server is ready until the database cannot be written, and stays healthy',
  async () => {
    server = await startFreshServer();
    const client = server.client();
    expect(await client.request('GET', '/healthz')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await client.request('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: expect.any(String), database: 'ok', disk: 'ok' },
    });

    const other = new SQLite(join(server.dataDir, 'parley.db'));
    other.exec('begin immediate');
    // Results are cached for a second.
    const response = await until(async () => {
      const { status, body } = await client.request('GET', '/readyz');
      return status === 200 ? undefined : { status, body };
    });
    expect(response).toMatchObject({
      status: 503,
      body: { status: 'unavailable', database: 'failed', disk: 'ok' },
    });
    expect(await client.request('GET', '/healthz')).toMatchObject({ status: 200 });
    other.exec('rollback');
    other.close();
    // The timeout is long because every write, also of background jobs, waits five seconds.
  },
  120_000,
);

test('a server that is about to stop is not ready, but still serves clients', async () => {
  server = await startFreshServer();
  const client = server.client();
  expect(await client.request('GET', '/readyz')).toMatchObject({ status: 200 });
  const isDrained = server.ctx.drain.start();
  expect(await client.request('GET', '/readyz')).toMatchObject({
    status: 503,
    body: { status: 'unavailable', database: 'ok', disk: 'ok' },
  });
  expect(await client.request('GET', '/healthz')).toMatchObject({ status: 200 });
  await connectLive(server, await server.signIn('Ada'));
  await isDrained;
});

test('metrics count messages and connections, and are available to this machine only', async () => {
  server = await startFreshServer();
  const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  await connectLive(server, bob);
  await beginChat(ada, bob);

  const { status, headers } = await server.client().request('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/plain');
  const lines = [
    'parley_messages_total{change="sent"} 1',
    'parley_messages_total{change="deleted"} 0',
    'parley_deliveries_total 1',
    'parley_delivery_latency_seconds_count 1',
    'parley_connections 1',
    'parley_db_queue_depth 0',
    'parley_mail_queue 0',
    'parley_media_bytes 0',
    /^parley_http_request_duration_seconds_count\{method="POST",route="\/api\/chatrooms\/create",status="201"\} 1$/m,
    /^parley_db_flush_duration_seconds_count [1-9]/m,
    /^parley_db_bytes [1-9]/m,
    /^parley_disk_free_bytes [1-9]/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ];
  // The message is delivered after the response, and jobs write now and then.
  await expect
    .poll(
      async () => {
        const { body } = await server.client().request('GET', '/metrics');
        return lines.filter((line) =>
          typeof line === 'string' ? !body.includes(line) : !line.test(body),
        );
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
});

const requestMetrics = (headers: Record<string, string>) =>
  sendRaw(server.url, { method: 'GET', path: '/metrics', headers, body: undefined }, 5_000);

test('counts the messages that wait for the search index at most once a minute', async () => {
  server = await startFreshServer();
  const room = await beginChat(await server.signIn('Ada'), await server.signIn('Bob'));
  const { storage } = server.ctx;
  const setNewest = (seq: number) =>
    storage.write(({ trx }) =>
      trx.updateTable('chatrooms').set({ last_seq: seq }).where('id', '=', room).execute(),
    );
  // The next time is in five minutes.
  await setNewest(32);
  server.ctx.events.publish({ type: 'events-missed' });
  await until(async () => {
    const rooms = await storage.read((db) => db.selectFrom('search_rooms').selectAll().execute());
    return rooms[0]?.indexed_seq === 32;
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const read = async () => {
    const { body } = await server.client().request('GET', '/metrics');
    return /^parley_search_unindexed_messages (\d+)$/m.exec(body)?.[1];
  };
  expect(await read()).toBe('0');
  await setNewest(102);
  vi.advanceTimersByTime(59_000);
  expect(await read()).toBe('0');
  vi.advanceTimersByTime(1_000);
  expect(await read()).toBe('64');
});

test('sends no metrics through a proxy on this machine without a token', async () => {
  server = await startFreshServer();
  for (const header of [
    ['forwarded', 'for=203.0.113.7'],
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-host', 'chat.example.org'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.7'],
    ['via', '1.1 proxy'],
    ['host', 'chat.example.org'],
    ['host', 'localhost.example.org'],
    ['host', '127.example.org'],
    ['host', '203.0.113.7:3000'],
    ['host', '[::2]:3000'],
  ] as const) {
    const { status, text } = await requestMetrics(Object.fromEntries([header]));
    expect([header, status]).toEqual([header, 404]);
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found' });
  }
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000']) {
    expect([host, (await requestMetrics({ host })).status]).toEqual([host, 200]);
  }
});

test.each([
  [404, { PARLEY_PUBLIC_URL: 'https://chat.example.org' }],
  [404, { PARLEY_TRUST_PROXY: 'true' }],
  [404, { PARLEY_TRUST_PROXY: '10.0.0.0/8' }],
  [200, { PARLEY_PUBLIC_URL: 'http://localhost:3000' }],
])('responds with %d without a token if a proxy may be in front of it: %o', async (status, env) => {
  server = await startFreshServer(env);
  expect(await server.client().request('GET', '/metrics')).toMatchObject({ status });
});

test('sends metrics to any client with the token and to no other', async () => {
  server = await startFreshServer({ PARLEY_METRICS_TOKEN: 'a very secret token' });
  const requestMetrics = (authorization?: string) =>
    server.client().request('GET', '/metrics', undefined, {
      'x-forwarded-for': '203.0.113.7',
      ...(authorization !== undefined && { authorization }),
    });
  expect(await requestMetrics()).toMatchObject({ status: 404 });
  expect(await requestMetrics('Bearer wrong')).toMatchObject({ status: 404 });
  expect(await requestMetrics('Bearer a very secret token')).toMatchObject({ status: 200 });
});

test('logs a line for each request without IP addresses or ids', async () => {
  server = await startFreshServer();
  const ada = await server.signIn('Ada');
  await ada.request('GET', `/api/chatrooms/chats/${ada.id}?secret=1`);
  const lines = server.log.filter((text) => text.includes('"reqId"'));
  expect(lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request')).toMatchObject({
    level: 20,
    method: 'GET',
    route: '/api/chatrooms/chats/:id',
    status: 404,
    ms: expect.any(Number),
  });
  for (const secret of [ada.id, 'secret=1', '127.0.0.1', ada.cookie]) {
    expect(lines.join('')).not.toContain(secret);
  }
});
