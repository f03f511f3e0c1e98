import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from './chatting.ts';
import { createTestClient, startServer, type TestServer, type TestUser } from './harness.ts';
import { Participant } from './participant.ts';
import { startPostgresProxy, type PostgresProxy } from './postgres-proxy.ts';
import { countTerms, IS_ON_POSTGRES } from './server-group.ts';
import { acquireTestDatabase } from './test-database.ts';
import { until } from './until.ts';

/** Two servers on one database. The first one reaches it through a proxy. */
interface Servers {
  first: TestServer;
  second: TestServer;
  proxy: PostgresProxy;
}

async function startServers(): Promise<Servers> {
  const database = await acquireTestDatabase();
  if (database === undefined) throw new Error('these tests need PostgreSQL');
  const proxy = await startPostgresProxy(database.url);
  const first = await startServer({ PARLEY_DATABASE_URL: proxy.url });
  await until(() => countTerms(first) > 0);
  const second = await startServer({ PARLEY_DATABASE_URL: database.url });
  onTestFinished(async () => {
    await first.close();
    await second.close();
    await proxy.close();
    await database.release();
  });
  return { first, second, proxy };
}

/** Returns the status of a request for the chat list to a server. */
async function statusAt({ url }: TestServer, { cookie }: TestUser): Promise<number> {
  const { status } = await createTestClient(url, cookie).request('GET', '/api/chatrooms/chats');
  return status;
}

describe.skipIf(!IS_ON_POSTGRES)('a commit whose response is lost', () => {
  test('the partner receives a message whose commit was not acknowledged', async () => {
    const { first, second, proxy } = await startServers();
    const [ada, bob] = [await first.signIn('ada'), await first.signIn('bob')];
    const room = await beginChat(ada, bob);
    const participants = [new Participant(first, ada, room), new Participant(second, bob, room)];
    const contents = ['Hello'];
    for (const participant of participants) {
      await until(() => participant.messages().length === 1);
    }
    // The commit of something else may come first.
    await until(async () => {
      const content = randomUUID();
      contents.push(content);
      proxy.loseNextCommitResponse();
      const body = { chatroom: room, content, clientId: content };
      return (await ada.request('POST', '/api/messages/send', body)).status === 503;
    });
    for (const participant of participants) {
      await until(() => participant.messages().length === contents.length);
      expect(participant.messages().map(({ content }) => content)).toEqual(contents);
    }
  });

  test('a session whose end was not acknowledged is not valid at any server', async () => {
    const { first, second, proxy } = await startServers();
    let attempts = 0;
    const user = await until(async () => {
      attempts += 1;
      const ada = await first.signIn(`ada${attempts}`);
      // Both servers cache the session.
      expect([await statusAt(first, ada), await statusAt(second, ada)]).toEqual([200, 200]);
      const { cookie } = ada;
      proxy.loseNextCommitResponse();
      const { status } = await ada.request('GET', '/api/users/logout');
      return status === 503 && { ...ada, cookie };
    });
    for (const server of [first, second]) {
      await until(async () => (await statusAt(server, user)) === 401);
    }
  });
});

describe.skipIf(!IS_ON_POSTGRES)('a server whose connections to PostgreSQL fall silent', () => {
  test('is not ready, loses the leadership, and recovers on new connections', async () => {
    const { first, second, proxy } = await startServers();
    const isReady = async () => (await first.client().request('GET', '/readyz')).status === 200;
    const [ada, bob] = [await second.signIn('ada'), await second.signIn('bob')];
    const room = await beginChat(ada, bob);
    const participant = new Participant(first, bob, room);
    await until(() => participant.messages().length === 1);

    proxy.freeze();
    await until(() => countTerms(second) > 0, 60_000);
    const sent = await send(ada, room, 'meanwhile');
    await until(async () => !(await isReady()), 60_000);
    proxy.thaw();
    const startedAt = performance.now();
    await until(isReady, 60_000);
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(`ready again ${seconds.toFixed(1)} s after connections work\n`);
    await until(() => participant.messages().some(({ _id }) => _id === sent._id), 60_000);
    expect(first.log.join('')).toContain('stopped the background jobs');
  }, 300_000);
});
