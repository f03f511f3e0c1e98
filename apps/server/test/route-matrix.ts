import type { TestClient } from './harness.ts';
import { sample } from './samples.ts';
import { PASSWORD, type World } from './world.ts';

/** The people that each row is about, in its order. */
export const EVERYBODY = ['nobody', 'stranger', 'member', 'sender', 'deleted'] as const;

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

/** Who may use a route. */
export interface RouteCase {
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
export const ROUTE_MATRIX: Record<string, RouteCase> = {
  'GET /healthz': { expected: PUBLIC },
  'GET /readyz': { expected: PUBLIC },
  // To this machine, where no token is set.
  'GET /metrics': { expected: PUBLIC },
  'GET /api/config': { expected: PUBLIC },
  'GET /api/docs': { expected: PUBLIC },
  'GET /api/docs/openapi.json': { expected: PUBLIC },
  'GET /api/docs/:file': { expected: PUBLIC, ask: () => ({ path: '/api/docs/start.js' }) },
  'GET /api/avatars/:name': { expected: PUBLIC, ask: () => ({ path: '/api/avatars/ada' }) },
  // Only a build has the pictures.
  'GET /api/emoji/:set/:file': {
    expected: [404, 404, 404, 404, 404],
    ask: () => ({ path: '/api/emoji/twitter/2764.svg' }),
  },

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

/** The case of a route, that of HEAD by its GET. */
export function caseOf(route: string): RouteCase | undefined {
  return ROUTE_MATRIX[route.replace(/^HEAD /, 'GET ')];
}

/** Asks for a route as somebody. */
export function askRoute(
  route: string,
  world: World,
  who: TestClient,
  headers: Record<string, string> = {},
) {
  const [method = '', url = ''] = route.split(' ');
  const { path, body } = caseOf(route)?.ask?.(world, who) ?? { path: url };
  return who.request(method, path, body, headers);
}
