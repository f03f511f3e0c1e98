import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { join } from '../../test/joining.ts';

let server: TestServer;
let anna: TestUser;
beforeAll(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
});
afterAll(() => server.close());

test('the current user is who registered', async () => {
  const berta = await join(server, 'Berta');
  const answer = await berta.request('GET', '/api/users/current');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    username: 'Berta',
    usermail: 'berta@example.org',
    dateOfRegistration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    language: 'en',
    volume: 'middle',
  });
});

test('the language is changed and stays', async () => {
  const answer = await anna.request('PATCH', '/api/users/language', { language: 'de' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ language: 'de' });
  expect((await anna.request('GET', '/api/users/current')).body.language).toBe('de');
});

test.each([
  ['silent', 'silent'],
  ['middle', 'middle'],
  ['full', 'full'],
  ['loud', 'full'],
])('the volume %s is stored as %s', async (volume, stored) => {
  const answer = await anna.request('PATCH', '/api/users/volume', { volume });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ volume: stored });
  expect((await anna.request('GET', '/api/users/current')).body.volume).toBe(stored);
});

const CHANGES: [string, string, unknown][] = [
  ['PATCH', '/api/users/language', { language: 'de' }],
  ['PATCH', '/api/users/volume', { volume: 'full' }],
  ['PATCH', '/api/users/update', { oldPassword: 'secret', newPassword: 'secret' }],
  ['DELETE', '/api/users/delete', undefined],
];

test.each(CHANGES)('%s %s is refused from a foreign origin', async (method, path, body) => {
  const origin = { origin: 'https://evil.example' };
  const answer = await anna.request(method, path, body, origin);
  expect(answer.status).toBe(403);
  expect(answer.body.code).toBe('foreign_origin');
});

describe.each([['GET', '/api/users/current', undefined], ...CHANGES])(
  '%s %s',
  (method, path, body) => {
    test('needs a session', async () => {
      const answer = await server.client().request(method, path, body);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ errorMessage: 'Please log in.', code: 'unauthenticated' });
    });

    test('does not take a cookie that was made up', async () => {
      const client = server.client();
      client.cookie = 'parley.sid=made.up';
      expect((await client.request(method, path, body)).status).toBe(401);
    });
  },
);

test.each([
  ['/api/users/language', { language: 'fr' }],
  ['/api/users/language', { language: null }],
  ['/api/users/language', {}],
  ['/api/users/language', '"de"'],
  ['/api/users/language', '{"language":"de"'],
  ['/api/users/volume', { volume: 'LOUD' }],
  ['/api/users/volume', { volume: 11 }],
  ['/api/users/volume', { volume: ['full'] }],
  ['/api/users/volume', '{"__proto__":{"volume":"full"}}'],
])('%s refuses %j', async (path, body) => {
  const answer = await anna.request('PATCH', path, body);
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('invalid_request');
});

test('refusals are in the language of the reader', async () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9' };
  const answer = await server.client().request('GET', '/api/users/current', undefined, german);
  expect(answer.body.errorMessage).toBe('Bitte melde dich an.');
});
