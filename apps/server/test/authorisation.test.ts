import { endpointNames, endpoints } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from './harness.ts';
import { upgrade } from './live.ts';
import { EVERYBODY, expectedStatuses, requestEndpoint } from './route-matrix.ts';
import { listRoutes, tableRoutes } from './routes.ts';
import { createWorld, PRIVATE, type Who, type World } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const CHANGING = endpointNames().filter(
  (name) => endpoints[name].method !== 'GET' || name === 'logout',
);

/** The room still holds what it held. */
async function expectUntouched(world: World) {
  const { body } = await world.sender.request('GET', `/api/chatrooms/chats/${world.room}`);
  expect(body.chatroomMessages).toHaveLength(3);
  expect(body.chatroomMessages[1]).toMatchObject({ _id: world.message, content: PRIVATE });
}

test('the routes that are registered are those of the endpoint table', () => {
  expect(listRoutes(server.app)).toEqual(
    tableRoutes()
      .map(({ route }) => route)
      .toSorted(),
  );
});

describe.each(endpointNames())('%s', (name) => {
  test('answers each as they may', async () => {
    const answers: Partial<Record<Who, number>> = {};
    for (const who of EVERYBODY) {
      const world = await createWorld(server);
      const { status, body } = await requestEndpoint(name, world, world[who]);
      answers[who] = status;
      if (status >= 400) {
        await expectUntouched(world);
        expect(body).toHaveProperty(
          name === 'connect' && status === 400 ? 'message' : 'errorMessage',
        );
      }
      if (who !== 'member' && who !== 'sender') {
        expect(JSON.stringify(body)).not.toContain(PRIVATE);
      }
    }
    expect(answers).toEqual(expectedStatuses(name));
  });
});

test('HEAD answers as GET does', async () => {
  const heads = tableRoutes().filter(({ route }) => route.startsWith('HEAD '));
  const world = await createWorld(server);
  for (const { name } of heads) {
    for (const who of ['nobody', 'stranger'] as const) {
      const { status } = await requestEndpoint(name, world, world[who], { method: 'HEAD' });
      expect([name, who, status]).toEqual([name, who, expectedStatuses(name)[who]]);
    }
  }
});

test.each(CHANGING)(
  '%s from the page of another site is refused and changes nothing',
  async (name) => {
    const world = await createWorld(server);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, body } = await requestEndpoint(name, world, world.sender, { headers });
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
