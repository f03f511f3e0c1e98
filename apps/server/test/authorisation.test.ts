import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from './harness.ts';
import { upgrade } from './live.ts';
import { askRoute, caseOf, EVERYBODY, ROUTE_MATRIX } from './route-matrix.ts';
import { listRoutes } from './routes.ts';
import { createWorld, PRIVATE, type Who, type World } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const CHANGING = Object.keys(ROUTE_MATRIX).filter(
  (route) => !route.startsWith('GET ') || route.endsWith('/logout'),
);

/** The room still holds what it held. */
async function expectUntouched(world: World) {
  const { body } = await world.sender.request('GET', `/api/chatrooms/chats/${world.room}`);
  expect(body.chatroomMessages).toHaveLength(3);
  expect(body.chatroomMessages[1]).toMatchObject({ _id: world.message, content: PRIVATE });
}

test('every route is in the table, and the table has no other', () => {
  const routes = listRoutes(server.app);
  expect(routes.filter((route) => caseOf(route) === undefined)).toEqual([]);
  expect(Object.keys(ROUTE_MATRIX).filter((route) => !routes.includes(route))).toEqual([]);
});

describe.each(Object.keys(ROUTE_MATRIX))('%s', (route) => {
  test('answers each as they may', async () => {
    const answers: Partial<Record<Who, number>> = {};
    const expected = Object.fromEntries(
      EVERYBODY.map((who, i) => [who, ROUTE_MATRIX[route]?.expected[i]]),
    );
    for (const who of EVERYBODY) {
      const world = await createWorld(server);
      const { status, body } = await askRoute(route, world, world[who]);
      answers[who] = status;
      if (status >= 400) {
        await expectUntouched(world);
        expect(body).toHaveProperty(
          route === 'GET /socket.io/' && status === 400 ? 'message' : 'errorMessage',
        );
      }
      if (who !== 'member' && who !== 'sender') {
        expect(JSON.stringify(body)).not.toContain(PRIVATE);
      }
    }
    expect(answers).toEqual(expected);
  });
});

test('HEAD answers as GET does', async () => {
  const heads = listRoutes(server.app).filter((route) => route.startsWith('HEAD '));
  const world = await createWorld(server);
  for (const route of heads) {
    const expected = caseOf(route)?.expected ?? [];
    for (const [i, who] of (['nobody', 'stranger'] as const).entries()) {
      const { status } = await askRoute(route, world, world[who]);
      expect([route, who, status]).toEqual([route, who, expected[i]]);
    }
  }
});

test.each(CHANGING)(
  '%s from the page of another site is refused and changes nothing',
  async (route) => {
    const world = await createWorld(server);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, body } = await askRoute(route, world, world.sender, headers);
      expect([status, body.code]).toEqual([403, 'foreign_origin']);
    }
    await expectUntouched(world);
  },
);

test('the live connection opens for who is signed in, and for nobody else', async () => {
  const world = await createWorld(server);
  const statuses: Partial<Record<Who, number | undefined>> = {};
  for (const who of EVERYBODY) {
    const socket = upgrade(server, world[who]);
    statuses[who] = await new Promise<number | undefined>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
  }
  expect(statuses).toEqual({ nobody: 401, stranger: 101, member: 101, sender: 101, deleted: 401 });
});
