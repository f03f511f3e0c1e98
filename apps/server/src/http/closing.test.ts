import { Agent, get } from 'node:http';
import { expect, test } from 'vitest';
import { startFreshServer } from '../../test/harness.ts';

const USERS = 10;
const REQUESTS = 20;

test('a server that closes answers requests in progress and does not keep their connections', async () => {
  const server = await startFreshServer();
  const users = await Promise.all(Array.from({ length: USERS }, (_, i) => server.signIn(`u${i}`)));
  const agent = new Agent({ keepAlive: true });
  const statuses: (number | undefined)[] = [];
  const request = (cookie: string) =>
    new Promise<void>((resolve) => {
      get(`${server.url}/api/chatrooms/chats`, { agent, headers: { cookie } }, (response) => {
        statuses.push(response.statusCode);
        response.resume().on('close', resolve);
      }).on('error', () => resolve());
    });
  const begun = new Promise<void>((resolve) => {
    server.app.server.once('request', () => setImmediate(resolve));
  });
  const ended = users.flatMap(({ cookie }) =>
    Array.from({ length: REQUESTS }, () => request(cookie)),
  );
  await begun;
  await server.close();
  await Promise.all(ended);
  expect(statuses).toContain(200);
  agent.destroy();
});
