import { endpointNames, endpoints } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from './harness.ts';
import { upgrade } from './live.ts';
import { normalize } from './normalize.ts';
import { ROLES, expectedStatuses, requestEndpoint } from './route-matrix.ts';
import { listRoutes, tableRoutes } from './routes.ts';
import { createWorld, PRIVATE, type Role, type World } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const CHANGING = endpointNames().filter(
  (name) => endpoints[name].method !== 'GET' || name === 'logout',
);

/** A world that no request has changed. */
let unchanged: World | undefined;

/**
 * Calls `run` with a world, which the next call uses again unless the result is true because the world has
 * changed or may have. Creating one takes longer than most requests.
 */
async function withWorld(run: (world: World) => Promise<boolean>): Promise<void> {
  const world = unchanged ?? (await createWorld(server));
  unchanged = undefined;
  if (!(await run(world))) unchanged = world;
}

/** Expects the chatroom to be unchanged. */
async function expectUntouched(world: World) {
  const { body } = await world.sender.request('GET', `/api/chatrooms/chats/${world.chatroomId}`);
  expect(body.chatroomMessages).toHaveLength(3);
  expect(body.chatroomMessages[1]).toMatchObject({ _id: world.messageId, content: PRIVATE });
}

test('registers exactly the routes of the endpoint table', () => {
  expect(listRoutes(server.app)).toEqual(
    tableRoutes()
      .map(({ route }) => route)
      .toSorted(),
  );
});

describe.each(endpointNames())('the endpoint %s', (name) => {
  test('responds to each role according to its permissions', async () => {
    const responses: Partial<Record<Role, number>> = {};
    for (const role of ROLES) {
      await withWorld(async (world) => {
        const { status, body } = await requestEndpoint(name, world, world[role]);
        responses[role] = status;
        if (status >= 400) {
          await expectUntouched(world);
          expect(body).toHaveProperty(
            name === 'connect' && status === 400 ? 'message' : 'errorMessage',
          );
        }
        if (role !== 'member' && role !== 'sender') {
          expect(JSON.stringify(body)).not.toContain(PRIVATE);
        }
        return status < 400 && CHANGING.includes(name);
      });
    }
    expect(responses).toEqual(expectedStatuses(name));
  });
});

/** Endpoints for users; the one that ends the account is the last. */
const FOR_USERS = [
  ...endpointNames().filter(
    (name) => endpoints[name].access === 'user' && name !== 'deleteAccount',
  ),
  'deleteAccount' as const,
];

/** Calls every endpoint for users as the sender of a world and returns the responses. */
async function callAsSender(world: World): Promise<string[]> {
  const words = [world.sender.username.replace('sender-', '')];
  const responses: string[] = [];
  // Twice, so that reads also see what the other requests changed.
  for (const name of [...FOR_USERS.slice(0, -1), ...FOR_USERS]) {
    await server.renewSession(world.sender);
    // Compressed, the length would depend on the ids.
    const { status, headers, body } = await requestEndpoint(name, world, world.sender, {
      headers: { 'accept-encoding': 'identity' },
    });
    const kept = [...headers].filter(([header]) => !/^(?:date|etag|last-modified)$/.test(header));
    responses.push(`${name} ${normalize([status, kept, body], words)}`);
  }
  return responses;
}

test.each([
  [['accepted', 'blocked']],
  [['requested', 'declined', 'requested and blocked', 'declined and blocked']],
] as const)(
  'responds to the sender in the same way in chats that are %s',
  async ([first, ...others]) => {
    const expected = await callAsSender(await createWorld(server, first));
    for (const state of others) {
      expect(await callAsSender(await createWorld(server, state)), state).toEqual(expected);
    }
  },
);

test('responds to HEAD with the status of GET', async () => {
  const heads = tableRoutes().filter(({ route }) => route.startsWith('HEAD '));
  const world = await createWorld(server);
  for (const { name } of heads) {
    for (const role of ['guest', 'outsider'] as const) {
      const { status } = await requestEndpoint(name, world, world[role], { method: 'HEAD' });
      expect([name, role, status]).toEqual([name, role, expectedStatuses(name)[role]]);
    }
  }
});

test.each(CHANGING)('rejects %s from a page of another site and changes nothing', async (name) => {
  await withWorld(async (world) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, body } = await requestEndpoint(name, world, world.sender, { headers });
      expect([status, body.code]).toEqual([403, 'foreign_origin']);
    }
    await expectUntouched(world);
    return false;
  });
});

test('opens the live connection only for signed-in users', async () => {
  const world = await createWorld(server);
  const statuses: Partial<Record<Role, number | undefined>> = {};
  for (const role of ROLES) {
    const socket = upgrade(server, world[role]);
    statuses[role] = await new Promise<number | undefined>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    });
  }
  expect(statuses).toEqual({ guest: 401, outsider: 101, member: 101, sender: 101, deleted: 401 });
});
