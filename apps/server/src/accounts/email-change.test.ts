import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startServer, userAt, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { getKey, readMails, waitForMail } from '../../test/mails.ts';
import { runCommand } from '../../test/run-command.ts';
import { statuses } from '../../test/statuses.ts';
import { until } from '../../test/until.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { forgetExpiredEmails } from './email-change.service.ts';

const DAY = 24 * 60 * 60 * 1000;
const NEW = 'anna@new.example';

let server: TestServer;
let anna: TestUser;
beforeEach(async () => {
  server = await startServer();
  anna = await server.signIn('Anna');
});
afterEach(() => {
  vi.useRealTimers();
  return server.close();
});

/** The address that the test server gives an account. */
const addressOf = ({ id }: TestUser) => `${id}@example.org`;
const request = (user: TestUser, email: string, password = 'password') =>
  user.request('POST', '/api/users/email', { email, password });
const confirm = (user: TestUser, email: string, key: string) =>
  user.request('POST', '/api/users/email/verify', { email, key });
const restore = (key: string) =>
  server.client().request('POST', '/api/users/email/restore', { key });
const mailsTo = async (email: string) =>
  (await readMails(server)).filter((mail) => mail.to?.[0]?.address === email);
/** Returns the subject of the latest mail to an address. */
const latestTo = async (email: string) => (await mailsTo(email)).at(-1)?.subject;
const current = async (user: TestUser) => (await user.request('GET', '/api/users/current')).body;
const logIn = (email: string, password = 'password') =>
  server.client().request('POST', '/api/users/login', { email, password });
const pause = () => until(async () => (await queued()).length === 0);
const queued = () =>
  server.ctx.storage.read((db) => db.selectFrom('outgoing_mails').selectAll().execute());

/** Requests another address and returns the key in the mail to it. */
async function requestKey(user: TestUser, email: string): Promise<string> {
  const mailed = email.toLowerCase();
  const count = (await mailsTo(mailed)).length;
  expect(await request(user, email)).toMatchObject({ status: 202, body: { ok: true } });
  return getKey(await waitForMail(server, mailed, count + 1));
}

/** Changes the address of a user. Returns the key in the mail to the former one, which takes the account back. */
async function change(user: TestUser, email: string): Promise<string> {
  const former = (await current(user)).usermail;
  const count = (await mailsTo(former)).length;
  const confirmed = await confirm(user, email, await requestKey(user, email));
  expect(confirmed).toMatchObject({ status: 200, body: { usermail: email } });
  return getKey(await waitForMail(server, former, count + 1));
}

describe('changing the email address', () => {
  test('needs the password and the key in the mail to it, and keeps the sessions', async () => {
    const key = await requestKey(anna, 'Anna@NEW.example');
    expect(key).toMatch(/^\d{6}$/);
    expect(await current(anna)).toMatchObject({ usermail: addressOf(anna), newUsermail: NEW });
    expect((await logIn(addressOf(anna))).status).toBe(200);
    expect((await confirm(anna, NEW, key)).body).toEqual({ usermail: NEW });
    expect(await current(anna)).toMatchObject({ usermail: NEW });
    expect(await current(anna)).not.toHaveProperty('newUsermail');
    expect((await logIn(addressOf(anna))).status).toBe(404);
    expect((await logIn(NEW)).status).toBe(200);
    const notice = await waitForMail(server, addressOf(anna));
    expect(notice.subject).toBe('Your Parley email address was changed');
    // The mailbox of before may be that of a former employer.
    expect(notice.text).not.toContain('new.example');
    expect((await confirm(anna, NEW, key)).body.code).toBe('key_mismatch');
  });

  test('is told to the devices of the user, and to no others', async () => {
    const phone = userAt(server.url, anna);
    await server.renewSession(phone);
    const ben = await server.signIn('Ben');
    const lives = await Promise.all([anna, phone, ben].map((user) => connectLive(server, user)));
    const former = addressOf(anna);
    await requestKey(anna, 'first@new.example');
    await anna.request('DELETE', '/api/users/email');
    // There is nothing to discard.
    await anna.request('DELETE', '/api/users/email');
    // No one is told whether another account has the address.
    await request(anna, addressOf(ben));
    const restoreKey = await change(anna, NEW);
    await requestKey(anna, 'last@new.example');
    const passwords = { oldPassword: 'password', newPassword: 'a new password' };
    expect((await anna.request('PATCH', '/api/users/update', passwords)).status).toBe(200);
    const usermail = NEW;
    const told = [
      { usermail: former, newUsermail: 'first@new.example' },
      { usermail: former },
      { usermail: former, newUsermail: addressOf(ben) },
      { usermail: former, newUsermail: usermail },
      { usermail },
      { usermail, newUsermail: 'last@new.example' },
      { usermail },
    ];
    const emails = () =>
      lives.map(({ events }) =>
        events.filter(([name]) => name === 'email').map(([, payload]) => payload),
      );
    await expect.poll(emails).toEqual([told, told, []]);
    expect((await restore(restoreKey)).status).toBe(200);
    await expect.poll(emails).toEqual([[...told, { usermail: former }], told, []]);
  });

  test.each([
    ['a wrong password', { email: NEW, password: 'guessed' }, 'wrong_password'],
    ['a malformed address', { email: 'anna', password: 'password' }, 'invalid_request'],
    ['no password', { email: NEW }, 'invalid_request'],
  ])('is refused with %s', async (_, body, code) => {
    const { body: refusal } = await anna.request('POST', '/api/users/email', body);
    expect(refusal.code).toBe(code);
    expect(await current(anna)).not.toHaveProperty('newUsermail');
  });

  test('is refused with the address that the account has, in any form', async () => {
    const response = await request(anna, `${anna.id.toUpperCase()}@example.org.`);
    expect(response).toMatchObject({ status: 400, body: { code: 'already_verified' } });
  });

  test(
    'is refused after the password was changed in the meantime',
    { tags: ['postgres'] },
    async () => {
      const [requested, changed] = await Promise.all([
        request(anna, NEW),
        anna.request('PATCH', '/api/users/update', {
          oldPassword: 'password',
          newPassword: 'a new password',
        }),
      ]);
      expect(changed.status).toBe(200);
      // The request may have come first, but then, the changed password ends it.
      if (requested.status !== 202) expect(requested.body.code).toBe('wrong_password');
      expect(await current(anna)).not.toHaveProperty('newUsermail');
    },
  );

  test('ends with a new password, so that the key of one who knew it is worthless', async () => {
    const key = await requestKey(anna, NEW);
    const body = { oldPassword: 'password', newPassword: 'a new password' };
    expect((await anna.request('PATCH', '/api/users/update', body)).status).toBe(200);
    expect((await confirm(anna, NEW, key)).body.code).toBe('key_mismatch');
  });

  test('allows five attempts at a key, even in parallel, and a day', async () => {
    const key = await requestKey(anna, NEW);
    const wrong = key === '000000' ? '000001' : '000000';
    const guesses = Array.from({ length: 8 }, () => confirm(anna, NEW, wrong));
    for (const { body } of await Promise.all(guesses)) expect(body.code).toBe('key_mismatch');
    expect((await confirm(anna, NEW, key)).body.code).toBe('key_mismatch');
    const second = await requestKey(anna, NEW);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY + 1 });
    expect((await confirm(anna, NEW, second)).body.code).toBe('key_mismatch');
    expect(await current(anna)).not.toHaveProperty('newUsermail');
  });

  test('takes a key only for its address, its user and the latest request', async () => {
    const berta = await server.signIn('Berta');
    const first = await requestKey(anna, NEW);
    const other = await requestKey(berta, 'berta@new.example');
    expect((await confirm(berta, NEW, first)).body.code).toBe('key_mismatch');
    expect((await confirm(anna, 'berta@new.example', other)).body.code).toBe('key_mismatch');
    const second = await requestKey(anna, 'second@new.example');
    expect((await confirm(anna, NEW, first)).body.code).toBe('key_mismatch');
    expect((await confirm(anna, 'second@new.example', second)).status).toBe(200);
  });

  test('can be canceled', async () => {
    const key = await requestKey(anna, NEW);
    expect(await anna.request('DELETE', '/api/users/email')).toMatchObject({ status: 200 });
    expect(await current(anna)).not.toHaveProperty('newUsermail');
    expect((await confirm(anna, NEW, key)).body.code).toBe('key_mismatch');
  });

  test('responds the same if another account has the address, whose user is told', async () => {
    const berta = await server.signIn('Berta');
    const [free, taken] = [await request(anna, NEW), await request(anna, addressOf(berta))];
    expect([taken.status, taken.body]).toEqual([free.status, free.body]);
    expect((await current(anna)).newUsermail).toBe(addressOf(berta));
    const told = await waitForMail(server, addressOf(berta));
    expect(told.subject).toBe('Your email is already used on Parley');
    expect(() => getKey(told)).toThrow('no key');
    expect(told.text).not.toContain('Anna');
    const guess = await confirm(anna, addressOf(berta), '000000');
    expect(guess).toMatchObject({ status: 409, body: { code: 'key_mismatch' } });
  });

  test('goes to only one of two users who confirm the same address at the same moment', async () => {
    const berta = await server.signIn('Berta');
    const keys = [await requestKey(anna, NEW), await requestKey(berta, NEW)];
    const both = await Promise.all(
      [anna, berta].map((user, i) => confirm(user, NEW, keys[i] ?? '')),
    );
    expect(statuses(both)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('account_taken');
  });

  test('and registering the address give it to who confirms first', async () => {
    const register = (username: string, email: string) =>
      server.client().request('POST', '/api/users/register', {
        username,
        email,
        password: 'password',
      });
    expect((await register('Otto', NEW)).status).toBe(201);
    const otto = getKey(await waitForMail(server, NEW));
    const key = await requestKey(anna, NEW);
    expect((await confirm(anna, NEW, key)).status).toBe(200);
    const verified = await server
      .client()
      .request('POST', '/api/users/register/verify', { email: NEW, key: otto });
    expect(verified.body.code).toBe('already_verified');
    expect((await register('Otto', NEW)).body.code).toBe('account_taken');
  });

  test(
    'lets the mails that wait for the mail server go to the address of their time',
    { tags: ['postgres'] },
    async () => {
      await server.close();
      server = await startServer({ PARLEY_SMTP_URL: 'smtp://127.0.0.1:1' });
      anna = await server.signIn('Anna');
      const keyFor = async (purpose: string) =>
        (await queued()).find((mail) => mail.purpose === purpose)?.key ?? expect.fail(purpose);
      const forgot = { email: addressOf(anna) };
      expect((await anna.request('PATCH', '/api/users/forgot-pw', forgot)).status).toBe(200);
      const password = { oldPassword: 'password', newPassword: 'password 2' };
      expect((await anna.request('PATCH', '/api/users/update', password)).status).toBe(200);
      for (const email of [NEW, 'second@new.example']) {
        expect((await request(anna, email, 'password 2')).status).toBe(202);
        expect((await confirm(anna, email, await keyFor('change-email'))).status).toBe(200);
      }
      const waiting = (await queued()).map(({ purpose, email }) => `${purpose} ${email}`);
      expect(new Set(waiting)).toEqual(
        new Set([
          `email-changed ${NEW}`,
          `email-changed ${addressOf(anna)}`,
          `password-changed ${addressOf(anna)}`,
        ]),
      );
    },
  );
});

describe('taking back the email address', () => {
  test('works for 7 days, ends all sessions and the password, and mails a reset key', async () => {
    const key = await change(anna, NEW);
    expect(key).toMatch(/^[2-9A-HJ-NP-Z]{20}$/);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * DAY - 60_000 });
    const restored = await restore(key.toLowerCase());
    expect(restored).toMatchObject({ status: 200, body: { usermail: addressOf(anna) } });
    expect((await anna.request('GET', '/api/users/current')).status).toBe(401);
    for (const email of [NEW, addressOf(anna)]) expect((await logIn(email)).status).toBe(404);
    const resetKey = getKey(await waitForMail(server, addressOf(anna), 2));
    const body = { email: addressOf(anna), key: resetKey, newPw: 'a new password' };
    expect((await anna.request('PATCH', '/api/users/new-pw', body)).status).toBe(200);
    expect((await logIn(addressOf(anna), 'a new password')).status).toBe(200);
    await waitForMail(server, NEW, 2);
    expect(await latestTo(NEW)).toBe('Your Parley email address was changed back');
    expect((await restore(key)).body.code).toBe('link_invalid');
  });

  test('does not work after 7 days, when others can have the address', async () => {
    const key = await change(anna, NEW);
    const berta = await server.signIn('Berta');
    const former = addressOf(anna);
    const register = () =>
      server.client().request('POST', '/api/users/register', {
        username: 'Otto',
        email: former,
        password: 'password',
      });
    expect((await register()).body.code).toBe('account_taken');
    expect((await request(berta, former)).status).toBe(202);
    await until(async () => (await latestTo(former)) === 'Your email is already used on Parley');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * DAY + 1 });
    expect(await restore(key)).toMatchObject({ status: 403, body: { code: 'link_invalid' } });
    await forgetExpiredEmails(server.ctx);
    const { storage } = server.ctx;
    expect(
      await storage.read((db) => db.selectFrom('former_emails').selectAll().execute()),
    ).toEqual([]);
    expect((await register()).status).toBe(201);
  });

  test('works after further changes, and then only for that address', async () => {
    const first = await change(anna, NEW);
    const second = await change(anna, 'second@new.example');
    const third = await change(anna, 'third@new.example');
    expect((await restore(first)).body.usermail).toBe(addressOf(anna));
    for (const key of [second, third]) expect((await restore(key)).body.code).toBe('link_invalid');
  });

  test('leaves the way back of earlier addresses', async () => {
    const first = await change(anna, NEW);
    const second = await change(anna, 'second@new.example');
    expect((await restore(second)).body.usermail).toBe(NEW);
    expect((await restore(first)).body.usermail).toBe(addressOf(anna));
  });

  test('is not possible from an address that the user has left for a former one', async () => {
    const first = await change(anna, NEW);
    const key = await requestKey(anna, addressOf(anna));
    expect((await confirm(anna, addressOf(anna), key)).status).toBe(200);
    await waitForMail(server, NEW, 2);
    expect(await latestTo(NEW)).toBe('Your Parley email address was changed back');
    expect((await restore(first)).body.code).toBe('link_invalid');
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('former_emails').selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });

  test('discards a further change, and the reset key that was mailed to the other address', async () => {
    const key = await change(anna, NEW);
    const pending = await requestKey(anna, 'second@new.example');
    await anna.request('PATCH', '/api/users/forgot-pw', { email: NEW });
    const resetKey = getKey(await waitForMail(server, NEW, 2));
    expect((await restore(key)).status).toBe(200);
    for (const email of [NEW, addressOf(anna)]) {
      const body = { email, key: resetKey, newPw: 'a stolen account' };
      const refused = await anna.request('PATCH', '/api/users/new-pw', body);
      expect(['user_not_found', 'reset_key_wrong']).toContain(refused.body.code);
    }
    await server.renewSession(anna);
    expect((await confirm(anna, 'second@new.example', pending)).body.code).toBe('key_mismatch');
  });

  test('works for a suspended account, which stays suspended', { tags: ['postgres'] }, async () => {
    const key = await change(anna, NEW);
    await runCommand(server.variables, 'user', 'suspend', 'Anna', '--yes');
    expect((await restore(key)).status).toBe(200);
    const resetKey = getKey(await waitForMail(server, addressOf(anna), 2));
    const body = { email: addressOf(anna), key: resetKey, newPw: 'a new password' };
    await server.client().request('PATCH', '/api/users/new-pw', body);
    const refused = await logIn(addressOf(anna), 'a new password');
    expect(refused.body.code).toBe('account_suspended');
  });

  test(
    'is not possible once the account is deleted, whose addresses leave no trace',
    { tags: ['postgres'] },
    async () => {
      const key = await change(anna, NEW);
      await requestKey(anna, 'second@new.example');
      await pause();
      expect((await anna.request('DELETE', '/api/users/delete')).status).toBe(200);
      expect((await restore(key)).body.code).toBe('link_invalid');
      await waitForErasure(server);
      expect(await readMails(server)).toEqual([]);
      const body = { username: 'Otto', email: addressOf(anna), password: 'password' };
      expect((await server.client().request('POST', '/api/users/register', body)).status).toBe(201);
    },
  );

  test.each(['ABCDEFGHJKLMNPQRSTUV', 'short', '', null])(
    'is refused with the key %j',
    async (key) => {
      const { status } = await server.client().request('POST', '/api/users/email/restore', { key });
      expect(status).toBe(key?.length === 20 ? 403 : 400);
    },
  );
});

describe('accounts that share a mailbox', () => {
  const FORM = 'anna@xn--mller-kva.example';
  const STORED = 'anna@müller.example';
  let other: TestUser;
  beforeEach(async () => {
    other = await server.signIn('Other');
    await server.ctx.storage.write(async ({ trx }) => {
      const setEmail = (id: string, email: string) =>
        trx.updateTable('users').set({ email }).where('id', '=', id).execute();
      await setEmail(other.id, FORM);
      await setEmail(anna.id, STORED);
      await trx.insertInto('email_clashes').values({ user_id: anna.id, email: FORM }).execute();
    });
  });
  const stored = () =>
    server.ctx.storage.read(async (db) => ({
      user: await db
        .selectFrom('users')
        .select('email')
        .where('id', '=', anna.id)
        .executeTakeFirst(),
      clashes: await db.selectFrom('email_clashes').select('email').execute(),
    }));

  test(
    'part when one changes the address, and share it again when that is taken back',
    { tags: ['postgres'] },
    async () => {
      expect((await request(anna, STORED)).body.code).toBe('already_verified');
      expect((await confirm(anna, NEW, await requestKey(anna, NEW))).status).toBe(200);
      expect(await stored()).toEqual({ user: { email: NEW }, clashes: [] });
      const key = getKey(await waitForMail(server, FORM));
      expect((await restore(key)).body.usermail).toBe(STORED);
      expect(await stored()).toEqual({ user: { email: STORED }, clashes: [{ email: FORM }] });
    },
  );

  test('give the form of today to the one that takes the address back alone', async () => {
    expect((await confirm(anna, NEW, await requestKey(anna, NEW))).status).toBe(200);
    const key = getKey(await waitForMail(server, FORM));
    expect((await other.request('DELETE', '/api/users/delete')).status).toBe(200);
    const body = { username: 'Otto', email: FORM, password: 'password' };
    const registered = await server.client().request('POST', '/api/users/register', body);
    expect(registered.body.code).toBe('account_taken');
    expect((await restore(key)).body.usermail).toBe(STORED);
    expect(await stored()).toEqual({ user: { email: FORM }, clashes: [] });
  });

  test('part when the operator sets the address of one', async () => {
    const result = await runCommand(server.variables, 'user', 'set-email', 'Anna', NEW, '--yes');
    expect(result).toMatchObject({ code: 0 });
    expect(await stored()).toEqual({ user: { email: NEW }, clashes: [] });
  });
});

describe('parley user set-email', () => {
  const set = (...args: string[]) => runCommand(server.variables, 'user', 'set-email', ...args);

  test('gives an account another address for good, and tells the former address', async () => {
    const key = await change(anna, NEW);
    const pending = await requestKey(anna, 'second@new.example');
    const { code, json } = await set('Anna', ' Anna@MÜLLER.example', '--yes', '--json');
    expect(code).toBe(0);
    expect(json).toEqual({ username: 'Anna', email: 'anna@xn--mller-kva.example' });
    const notice = await waitForMail(server, NEW, 2);
    expect(notice.subject).toBe('The operator changed your Parley email address');
    expect(() => getKey(notice)).toThrow('no key');
    expect((await anna.request('GET', '/api/users/current')).status).toBe(401);
    expect((await restore(key)).body.code).toBe('link_invalid');
    expect((await logIn('anna@müller.example')).status).toBe(200);
    await server.renewSession(anna);
    expect((await confirm(anna, 'second@new.example', pending)).body.code).toBe('key_mismatch');
  });

  test('refuses what is not possible, and asks for --yes', async () => {
    const berta = await server.signIn('Berta');
    const taken = await set('Anna', addressOf(berta), '--yes');
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('of another account') });
    const own = await set('Anna', addressOf(anna), '--yes');
    expect(own).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
    const malformed = await set('Anna', 'anna', '--yes');
    expect(malformed).toMatchObject({ code: 1, stderr: expect.stringContaining('not an email') });
    const missing = await set('Anna');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('missing') });
    const unconfirmed = await set('Anna', NEW);
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const surplus = await runCommand(server.variables, 'user', 'resume', 'Anna', NEW);
    expect(surplus).toMatchObject({ code: 2, stderr: expect.stringContaining('unexpected') });
    expect((await current(anna)).usermail).toBe(addressOf(anna));
  });
});
