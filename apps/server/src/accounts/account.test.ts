import type { AccountSettingName, AccountSettings } from '@parley/contract';
import {
  ACCOUNT_SETTING_NAMES,
  ACCOUNT_SETTINGS,
  initialSettings,
  pickSettings,
} from '@parley/contract/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { join } from '../../test/joining.ts';

let server: TestServer;
let anna: TestUser;
beforeAll(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
});
afterAll(() => server.close());

test('returns the profile and settings of the current user', async () => {
  const berta = await join(server, 'Berta');
  const response = await berta.request('GET', '/api/users/current');
  expect(response.status).toBe(200);
  expect(response.body).toEqual({
    username: 'Berta',
    usermail: 'berta@example.org',
    dateOfRegistration: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ...initialSettings(),
  });
});

test('changes the language permanently', async () => {
  const response = await anna.request('PATCH', '/api/users/language', { language: 'de' });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ language: 'de' });
  expect((await anna.request('GET', '/api/users/current')).body.language).toBe('de');
});

test.each([
  ['silent', 'silent'],
  ['middle', 'middle'],
  ['full', 'full'],
  ['loud', 'full'],
])('stores the volume %s as %s', async (volume, stored) => {
  const response = await anna.request('PATCH', '/api/users/volume', { volume });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ volume: stored });
  expect((await anna.request('GET', '/api/users/current')).body.volume).toBe(stored);
});

/** Returns a value that a setting does not have. */
function otherValue(name: AccountSettingName, settings: AccountSettings): unknown {
  const { anyOf } = ACCOUNT_SETTINGS[name].schema as { anyOf?: { const: string }[] };
  return (
    anyOf?.map((each) => each.const).find((value) => value !== settings[name]) ?? !settings[name]
  );
}

test('stores each setting separately and sends it to the other devices', async () => {
  const events = recordEvents(server);
  const get = async () => (await anna.request('GET', '/api/users/current')).body;
  const { username, usermail, dateOfRegistration } = await get();
  const expected: AccountSettings = pickSettings(await get());
  const settings = ACCOUNT_SETTING_NAMES.map((name) => ({ [name]: otherValue(name, expected) }));
  for (const changed of settings) {
    Object.assign(expected, changed);
    const response = await anna.request('PATCH', '/api/users/settings', changed);
    expect(response).toMatchObject({ status: 200, body: expected });
    expect(await get()).toEqual({ username, usermail, dateOfRegistration, ...expected });
  }
  expect((await anna.request('PATCH', '/api/users/settings', {})).body).toEqual(expected);
  expect(events).toEqual(
    settings.map((changed) => ({ type: 'settings-changed', userId: anna.id, settings: changed })),
  );
});

const CHANGES: [string, string, unknown][] = [
  ['PATCH', '/api/users/language', { language: 'de' }],
  ['PATCH', '/api/users/volume', { volume: 'full' }],
  ['PATCH', '/api/users/settings', { whoMayWrite: 'nobody' }],
  ['PATCH', '/api/users/update', { oldPassword: 'secret', newPassword: 'secret' }],
  ['DELETE', '/api/users/delete', undefined],
];

test.each(CHANGES)('rejects %s %s from a foreign origin', async (method, path, body) => {
  const origin = { origin: 'https://evil.example' };
  const response = await anna.request(method, path, body, origin);
  expect(response.status).toBe(403);
  expect(response.body.code).toBe('foreign_origin');
});

describe.each([['GET', '/api/users/current', undefined], ...CHANGES])(
  '%s %s',
  (method, path, body) => {
    test('requires a session', async () => {
      const response = await server.client().request(method, path, body);
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ errorMessage: 'Please log in.', code: 'unauthenticated' });
    });

    test('rejects a forged session cookie', async () => {
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
  ['/api/users/settings', { whoMayWrite: 'friends' }],
  ['/api/users/settings', { isDiscoverable: 1 }],
  ['/api/users/volume', '{"__proto__":{"volume":"full"}}'],
])('%s rejects %j', async (path, body) => {
  const response = await anna.request('PATCH', path, body);
  expect(response.status).toBe(400);
  expect(response.body.code).toBe('invalid_request');
});

test('sends error messages in the language of Accept-Language', async () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9' };
  const response = await server.client().request('GET', '/api/users/current', undefined, german);
  expect(response.body.errorMessage).toBe('Bitte melde dich an.');
});
