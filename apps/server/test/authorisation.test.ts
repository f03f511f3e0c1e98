import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestClient, type TestServer } from './harness.ts';
import { upgrade } from './live.ts';
import { listRoutes } from './routes.ts';
import { sample } from './samples.ts';
import { createWorld, PASSWORD, PRIVATE, type Who, type World } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const EVERYBODY = ['nobody', 'stranger', 'member', 'sender', 'deleted'] as const;

/** The statuses for nobody, a stranger, a member, the sender and somebody whose account is gone. */
type Row = readonly [number, number, number, number, number];

const PUBLIC: Row = [200, 200, 200, 200, 200];
const SIGNED_IN: Row = [401, 200, 200, 200, 401];
const MEMBERS: Row = [401, 404, 200, 200, 401];
const SENDER: Row = [401, 404, 403, 200, 401];

interface Request {
  path: string;
  body?: unknown;
}

interface Case {
  expected: Row;
  /** What is asked; by default the route's own path without a body. */
  ask?: (world: World, who: TestClient) => Request;
}

function form(field: string, file: string) {
  return (): Request => {
    const body = new FormData();
    body.append(field, new Blob([new Uint8Array(sample(file))]), file);
    return { path: `/api/upload/${field}`, body };
  };
}

/** The address that the test harness gives an account. */
function emailOf(world: World): string {
  return `${world.other.id}@example.org`;
}

/** Every route of the server. One that is added has to be added here, with who may use it. */
const MATRIX: Record<string, Case> = {
  'GET /healthz': { expected: PUBLIC },
  'GET /readyz': { expected: PUBLIC },
  // To this machine, where no token is set.
  'GET /metrics': { expected: PUBLIC },
  'GET /api/config': { expected: PUBLIC },
  'GET /api/docs': { expected: PUBLIC },
  'GET /api/docs/openapi.json': { expected: PUBLIC },
  'GET /api/docs/:file': { expected: PUBLIC, ask: () => ({ path: '/api/docs/start.js' }) },
  'GET /api/avatars/:name': { expected: PUBLIC, ask: () => ({ path: '/api/avatars/ada' }) },

  'POST /api/users/register': {
    expected: [201, 201, 201, 201, 201],
    ask: () => {
      const username = `new-${Math.random().toString(36).slice(2, 10)}`;
      const body = { username, email: `${username}@example.org`, password: PASSWORD };
      return { path: '/api/users/register', body };
    },
  },
  'POST /api/users/register/verify': {
    expected: [409, 409, 409, 409, 409],
    ask: () => ({
      path: '/api/users/register/verify',
      body: { email: 'unknown@example.org', key: '000000' },
    }),
  },
  'POST /api/users/register/resend': {
    expected: [202, 202, 202, 202, 202],
    ask: (world) => ({ path: '/api/users/register/resend', body: { email: emailOf(world) } }),
  },
  'POST /api/users/login': {
    expected: PUBLIC,
    ask: (world) => ({
      path: '/api/users/login',
      body: { email: emailOf(world), password: PASSWORD },
    }),
  },
  'GET /api/users/logout': { expected: PUBLIC },
  'PATCH /api/users/forgot-pw': {
    expected: PUBLIC,
    ask: (world) => ({ path: '/api/users/forgot-pw', body: { email: emailOf(world) } }),
  },
  'PATCH /api/users/new-pw': {
    expected: [401, 401, 401, 401, 401],
    ask: (world) => ({
      path: '/api/users/new-pw',
      body: { email: emailOf(world), key: 'abcdefgh', newPw: PASSWORD },
    }),
  },
  'GET /api/users/current': { expected: SIGNED_IN },
  'PATCH /api/users/language': {
    expected: SIGNED_IN,
    ask: () => ({ path: '/api/users/language', body: { language: 'de' } }),
  },
  'PATCH /api/users/volume': {
    expected: SIGNED_IN,
    ask: () => ({ path: '/api/users/volume', body: { volume: 'silent' } }),
  },
  'PATCH /api/users/update': {
    expected: SIGNED_IN,
    ask: () => ({
      path: '/api/users/update',
      body: { oldPassword: PASSWORD, newPassword: 'another one' },
    }),
  },
  'DELETE /api/users/delete': { expected: SIGNED_IN },

  'GET /api/sessions': { expected: SIGNED_IN },
  'DELETE /api/sessions': { expected: SIGNED_IN },
  // The session of the sender.
  'DELETE /api/sessions/:id': {
    expected: [401, 404, 404, 200, 401],
    ask: (world) => ({ path: `/api/sessions/${world.sender.sessionId}` }),
  },

  'POST /api/chatrooms/exist': {
    expected: SIGNED_IN,
    ask: (world) => ({ path: '/api/chatrooms/exist', body: { username: world.other.username } }),
  },
  'POST /api/chatrooms/create': {
    expected: [401, 201, 201, 201, 401],
    ask: (world) => ({
      path: '/api/chatrooms/create',
      body: { partnerName: world.other.username, content: 'Hello' },
    }),
  },
  'GET /api/chatrooms/chats': { expected: SIGNED_IN },
  'GET /api/chatrooms/chats/:id': {
    expected: MEMBERS,
    ask: (world) => ({ path: `/api/chatrooms/chats/${world.room}` }),
  },
  'POST /api/chatrooms/chats/:id/mark-as-read': {
    expected: MEMBERS,
    ask: (world) => ({ path: `/api/chatrooms/chats/${world.room}/mark-as-read` }),
  },
  // A stranger is told that the room is gone, as for one that never was.
  'POST /api/chatrooms/changes': {
    expected: SIGNED_IN,
    ask: (world) => ({ path: '/api/chatrooms/changes', body: { since: { [world.room]: 0 } } }),
  },

  'POST /api/messages/send': {
    expected: [401, 404, 201, 201, 401],
    ask: (world) => ({
      path: '/api/messages/send',
      body: { chatroom: world.room, content: 'Hello' },
    }),
  },
  'PATCH /api/messages/edit': {
    expected: SENDER,
    ask: (world) => ({
      path: '/api/messages/edit',
      body: { messageId: world.message, content: 'Changed' },
    }),
  },
  'DELETE /api/messages/delete': {
    expected: SENDER,
    ask: (world) => ({ path: '/api/messages/delete', body: { messageId: world.message } }),
  },

  'POST /api/upload/image': {
    expected: [401, 201, 201, 201, 401],
    ask: form('image', 'picture.png'),
  },
  'POST /api/upload/audio': {
    expected: [401, 201, 201, 201, 401],
    ask: form('audio', 'voice.webm'),
  },
  'GET /media/:file': { expected: MEMBERS, ask: (world) => ({ path: `/media/${world.file}` }) },

  // As plain HTTP; the upgrade is tried below.
  'GET /socket.io/': { expected: [401, 400, 400, 400, 401] },
};

const CHANGING = Object.keys(MATRIX).filter(
  (route) => !route.startsWith('GET ') || route.endsWith('/logout'),
);

/** The cases of a route, HEAD by those of its GET. */
function caseOf(route: string): Case | undefined {
  return MATRIX[route.replace(/^HEAD /, 'GET ')];
}

function request(
  route: string,
  world: World,
  who: TestClient,
  headers: Record<string, string> = {},
) {
  const [method = '', url = ''] = route.split(' ');
  const { path, body } = caseOf(route)?.ask?.(world, who) ?? { path: url };
  return who.request(method, path, body, headers);
}

/** The room still holds what it held. */
async function expectUntouched(world: World) {
  const { body } = await world.sender.request('GET', `/api/chatrooms/chats/${world.room}`);
  expect(body.chatroomMessages).toHaveLength(3);
  expect(body.chatroomMessages[1]).toMatchObject({ _id: world.message, content: PRIVATE });
}

test('every route is in the table, and the table has no other', () => {
  const routes = listRoutes(server.app);
  expect(routes.filter((route) => caseOf(route) === undefined)).toEqual([]);
  expect(Object.keys(MATRIX).filter((route) => !routes.includes(route))).toEqual([]);
});

describe.each(Object.keys(MATRIX))('%s', (route) => {
  test('answers each as they may', async () => {
    const answers: Partial<Record<Who, number>> = {};
    const expected = Object.fromEntries(
      EVERYBODY.map((who, i) => [who, MATRIX[route]?.expected[i]]),
    );
    for (const who of EVERYBODY) {
      const world = await createWorld(server);
      const { status, body } = await request(route, world, world[who]);
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
      const { status } = await request(route, world, world[who]);
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
      const { status, body } = await request(route, world, world.sender, headers);
      expect([status, body.code]).toEqual([403, 'foreign_origin']);
    }
    const { body } = await world.sender.request('GET', `/api/chatrooms/chats/${world.room}`);
    expect(body.chatroomMessages).toHaveLength(3);
    expect(body.chatroomMessages[1]).toMatchObject({ _id: world.message, content: PRIVATE });
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
