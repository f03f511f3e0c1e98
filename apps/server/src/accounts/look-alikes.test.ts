import { readdirSync } from 'node:fs';
import { usernameKey } from '@parley/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details, join, login } from '../../test/joining.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { usernameSkeletons } from './look-alikes.ts';

const looksLike = (a: string, b: string) => {
  const others = new Set(usernameSkeletons(b));
  return usernameSkeletons(a).some((skeleton) => others.has(skeleton));
};

describe('two usernames', () => {
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

  test('always look alike if they have the same key', () => {
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

describe('registration', () => {
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

  test('rejects a username that looks like an existing one as taken', async () => {
    await join(server, 'alice', 'verified');
    for (const name of ['AIice', 'a1ice', 'аӏісе']) {
      expect(await register(name)).toMatchObject({ status: 409, body: { code: 'account_taken' } });
    }
    expect((await register('alicia')).status).toBe(201);
  });

  test('rejects usernames that look reserved or like the operator, whatever their punctuation', async () => {
    await server.close();
    server = await startServer({ PARLEY_OPERATOR_NAME: 'Jane Doe Ltd.' });
    for (const name of ['ad.min', '_Admin', 'supp0rt', 'parIey', 'newchatroom']) {
      expect(await register(name)).toMatchObject({ status: 409, body: { code: 'account_taken' } });
    }
    for (const name of ['JaneDoeLtd', 'jane.doe_ltd', 'jane-d0e-1td']) {
      expect(await register(name)).toMatchObject({ status: 409, body: { code: 'account_taken' } });
    }
    for (const name of ['admin', 'Support', 'PARLEY', 'new-chatroom']) {
      expect(await register(name)).toMatchObject({ status: 400 });
    }
    for (const name of ['jane', 'adminton', 'supporter']) {
      expect((await register(name)).status).toBe(201);
    }
  });

  test('rejects a username that mixes scripts or stacks combining marks, with a reason', async () => {
    for (const name of ['pаypal', 'z\u0300\u0301\u0302a']) {
      const response = await register(name);
      expect(response).toMatchObject({ status: 400, body: { code: 'username_not_allowed' } });
      expect(response.body.errorMessage).toMatch(/script/);
    }
  });

  test('creates only one account for concurrent registrations of look-alike usernames', async () => {
    const statuses = (await Promise.all([register('scope'), register('ѕсоре')])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('accepts a username once the account with a look-alike is deleted', async () => {
    const alice = await server.signIn('alice');
    server = await server.restart();
    expect((await register('AIice')).status).toBe(409);
    await eraseAccount(server, alice);
    expect((await register('AIice')).status).toBe(201);
  });

  test('keeps existing usernames usable, even if they look alike or mix scripts', async () => {
    const mixed = 'pаypal';
    const people = [await join(server, 'alice', 'verified')];
    for (const name of ['a1ice', mixed]) await server.signIn(name);
    await server.ctx.storage.write(({ trx }) => trx.deleteFrom('username_skeletons').execute());
    server = await server.restart();
    expect(readdirSync(server.dataDir)).not.toContain('snapshots');

    await login(server.client(), people[0] ?? details('alice'));
    const reader = await server.signIn('Reader');
    for (const username of ['alice', 'a1ice', mixed]) {
      const response = await reader.request('POST', '/api/chatrooms/exist', { username });
      expect(response).toMatchObject({ status: 200, body: { partnerName: username } });
    }
    expect((await register('aIice')).status).toBe(409);
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('username_skeletons').select('user_id').distinct().execute(),
    );
    expect(rows).toHaveLength(3);
  });
});
