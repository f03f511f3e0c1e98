import { readdirSync } from 'node:fs';
import { usernameKey } from '@parley/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join, login } from '../../test/joining.ts';
import { leave } from '../../test/arrange.ts';
import { usernameSkeletons } from './look-alikes.ts';

const looksLike = (a: string, b: string) => {
  const others = new Set(usernameSkeletons(b));
  return usernameSkeletons(a).some((skeleton) => others.has(skeleton));
};

describe('two names', () => {
  test.each([
    ['alice', 'AIice'],
    ['alice', 'a1ice'],
    ['paypal', 'раураӏ'],
    ['scope', 'ѕсоре'],
    ['COPE', 'СОРЕ'],
    ['modern', 'rnodern'],
    ['bob0', 'bobO'],
    ['Jürgen', 'Jürgen'.normalize('NFD')],
    ['alice', 'ａｌｉｃｅ'],
  ])('%s and %s look alike', (a, b) => {
    expect(looksLike(a, b)).toBe(true);
    expect(looksLike(b, a)).toBe(true);
  });

  test.each([
    ['alice', 'alicia'],
    ['anna', 'hanna'],
    ['Ольга', 'olga'],
    ['山田', '山口'],
    ['bob', 'bob.'],
  ])('%s and %s do not look alike', (a, b) => expect(looksLike(a, b)).toBe(false));

  test('that are compared as the same always look alike', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    const change = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => text.normalize('NFD'),
      (text: string) => text.normalize('NFKC'),
    );
    fc.assert(
      fc.property(name, change, (before, changed) => {
        const after = changed(before);
        fc.pre(usernameKey(before) === usernameKey(after));
        expect(looksLike(before, after)).toBe(true);
      }),
    );
  });
});

describe('registering', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());
  const register = (username: string, email = `${Math.random()}@example.org`) =>
    server.client().request('POST', '/api/users/register', {
      username,
      email,
      password: 'a long password',
    });

  test('a name that looks like an existing one is answered as a name that is taken', async () => {
    await join(server, 'alice', 'verified');
    for (const name of ['AIice', 'a1ice', 'аӏісе']) {
      expect(await register(name)).toMatchObject({ status: 409, body: { code: 'account_taken' } });
    }
    expect((await register('alicia')).status).toBe(201);
  });

  test('a name that mixes scripts or stacks marks is refused with 400 and a reason', async () => {
    for (const name of ['pаypal', 'z\u0300\u0301\u0302a']) {
      const answer = await register(name);
      expect(answer).toMatchObject({ status: 400, body: { code: 'username_not_allowed' } });
      expect(answer.body.errorMessage).toMatch(/script/);
    }
  });

  test('two names that look alike at the same moment make one account', async () => {
    const statuses = (await Promise.all([register('scope'), register('ѕсоре')])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('a name is free again once an account that looks alike is deleted', async () => {
    const alice = await server.signIn('alice');
    server = await server.restart();
    expect((await register('AIice')).status).toBe(409);
    await leave(server, alice);
    expect((await register('AIice')).status).toBe(201);
  });

  test('names from before stay usable, also where they look alike or mix scripts', async () => {
    const mixed = 'pаypal';
    const people = [await join(server, 'alice', 'verified')];
    for (const name of ['a1ice', mixed]) await server.signIn(name);
    await server.ctx.storage.write(({ trx }) => trx.deleteFrom('username_skeletons').execute());
    server = await server.restart();
    expect(readdirSync(server.dataDir)).not.toContain('snapshots');

    await login(server.client(), people[0] ?? details('alice'));
    const reader = await server.signIn('Reader');
    for (const username of ['alice', 'a1ice', mixed]) {
      const answer = await reader.request('POST', '/api/chatrooms/exist', { username });
      expect(answer).toMatchObject({ status: 200, body: { partnerName: username } });
    }
    expect((await register('aIice')).status).toBe(409);
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('username_skeletons').select('user_id').distinct().execute(),
    );
    expect(rows).toHaveLength(3);
  });
});
