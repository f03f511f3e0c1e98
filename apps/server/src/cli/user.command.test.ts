import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginChat, openChatList } from '../../test/chatting.ts';
import { runCommand } from '../../test/run-command.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import { sample } from '../../test/samples.ts';
import { until } from '../../test/until.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer({ PARLEY_REGISTRATION: 'invite' });
});
afterEach(() => server.close());

const run = (...args: string[]) => runCommand(server.variables, ...args);

const credentials = { email: 'ada@example.org', password: 'correct horse' };
const register = (invitation?: string) =>
  server.client().request('POST', '/api/users/register', {
    ...credentials,
    username: 'Ada',
    ...(invitation !== undefined && { invitation }),
  });

test('invite and user commands register, verify and reset an account without any mail', async () => {
  expect(await register()).toMatchObject({ status: 403, body: { code: 'invitation_invalid' } });
  expect(await register('guessed')).toMatchObject({ status: 403 });

  const { json } = await run('invite', '--note', 'for Ada', '--json');
  expect(json).toMatchObject({ uses: 1, note: 'for Ada' });
  const { pathname, hash } = new URL(json.link);
  expect(pathname).toBe('/register');
  const code = new URLSearchParams(hash.slice(1)).get('invitation') ?? '';
  expect((await run('invite', 'list')).stdout).toContain('for Ada');

  expect(await register(code)).toMatchObject({ status: 201 });
  expect((await run('invite', 'list', '--json')).json).toEqual([]);
  const second = { ...credentials, email: 'b@example.org', username: 'Bob', invitation: code };
  expect(await server.client().request('POST', '/api/users/register', second)).toMatchObject({
    status: 403,
  });

  expect((await run('user', 'list', '--json')).json).toMatchObject([
    { username: 'Ada', email: 'ada@example.org', verified: false },
  ]);
  expect(await run('user', 'verify', 'ADA')).toMatchObject({ code: 0 });
  const ada = server.client();
  const logIn = (password: string) =>
    ada.request('POST', '/api/users/login', { ...credentials, password });
  expect((await logIn(credentials.password)).body).toEqual({ isVerified: true });

  const reset = (await run('user', 'reset-link', 'ada@example.org', '--json')).json;
  const fragment = new URLSearchParams(new URL(reset.link).hash.slice(1));
  expect(Object.fromEntries(fragment)).toEqual({ email: 'ada@example.org', key: reset.key });
  const newPassword = { email: 'ada@example.org', key: reset.key, newPw: 'battery staple' };
  expect(await ada.request('PATCH', '/api/users/new-pw', newPassword)).toMatchObject({
    status: 200,
  });
  expect((await logIn('battery staple')).body).toEqual({ isVerified: true });
  expect((await run('user', 'list')).stdout).toMatch(/Ada +yes +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d/);
});

test('verify does not choose between registrations of one address, and delete deletes them all', async () => {
  await server.close();
  server = await startServer();
  for (const username of ['Mallory', 'Ada']) {
    const body = { ...credentials, username };
    const response = await server.client().request('POST', '/api/users/register', body);
    expect(response).toMatchObject({ status: 201 });
  }
  const listed = async () =>
    (await run('user', 'list', '--json')).json.map((each: { username: string }) => each.username);
  expect(await listed()).toEqual(['Mallory', 'Ada']);
  const ambiguous = await run('user', 'verify', credentials.email);
  expect(ambiguous).toMatchObject({ code: 1 });
  expect(ambiguous.stderr).toContain(`There are 2 registrations of ${credentials.email}`);
  const unverified = await run('user', 'reset-link', 'Ada');
  expect(unverified).toMatchObject({ code: 1 });
  expect(unverified.stderr).toContain(
    "Ada is not verified yet. Verify it with 'parley user verify'",
  );
  expect(await run('user', 'delete', 'Mallory', '--yes')).toMatchObject({ code: 0 });
  expect(await run('user', 'verify', credentials.email)).toMatchObject({ code: 0 });
  expect((await run('user', 'list', '--json')).json).toMatchObject([
    { username: 'Ada', verified: true },
  ]);
  for (const username of ['Otto', 'Paul']) {
    const body = { ...credentials, email: 'otto@example.org', username };
    await server.client().request('POST', '/api/users/register', body);
  }
  expect(await run('user', 'delete', 'otto@example.org', '--yes')).toMatchObject({ code: 0 });
  expect(await listed()).toEqual(['Ada']);
});

test('control characters in names and notes are escaped', async () => {
  const ada = await server.signIn('Ada');
  // Accounts of earlier versions may have such names.
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('users')
      .set({ username: 'A\u001b[31m\u202eda' })
      .where('id', '=', ada.id)
      .execute(),
  );
  await run('invite', '--note', 'for\u001b[2J\nAda');
  const results = [
    await run('user', 'list'),
    await run('user', 'suspend', 'Ada', '--yes'),
    await run('invite', 'list'),
  ];
  const [users, suspended, invitations] = results.map(({ stdout }) => stdout);
  expect(users).toContain('A\\u{1b}[31m\\u{202e}da  ');
  expect(suspended).toBe('A\\u{1b}[31m\\u{202e}da was suspended.\n');
  expect(invitations).toContain('for\\u{1b}[2J\\nAda\n');
  const { stdout, json } = await run('user', 'list', '--json');
  expect(stdout).toContain('A\\u001b[31m\\u202eda');
  expect(json).toMatchObject([{ username: 'A\u001b[31m\u202eda' }]);
});

test('a failed registration does not consume an invitation, and a revoked invitation is invalid', async () => {
  await server.signIn('Ada');
  const { json } = await run('invite', '--json');
  const code = json.link.split('invitation=')[1];
  expect(await register(code)).toMatchObject({ status: 409 });
  expect((await run('invite', 'list', '--json')).json).toMatchObject([{ usesLeft: 1 }]);
  expect(await run('invite', 'revoke', json.id)).toMatchObject({ code: 0 });
  expect(await register(code)).toMatchObject({ status: 403 });
  expect(await run('invite', 'revoke', json.id)).toMatchObject({ code: 1 });
});

test('deleting an account disconnects its user and notifies the partner', async () => {
  const [ada, bob] = [await server.signIn('Ada'), await server.signIn('Bob')];
  const chatroom = await beginChat(ada, bob);
  await upload(ada, 'image', sample('picture.png'));
  const [adaLive, bobLive] = [await connectLive(server, ada), await connectLive(server, bob)];

  expect(await run('user', 'delete', 'Nobody', '--yes')).toMatchObject({ code: 1 });
  expect(await run('user', 'delete', 'Ada', '--yes')).toMatchObject({ code: 0 });
  expect(await listUploadedFiles(server)).toEqual([]);
  expect(await ada.request('GET', '/api/users/current')).toMatchObject({ status: 401 });
  await until(() => adaLive.events.some(([name]) => name === 'session-ended'));
  await until(() => bobLive.events.some(([name]) => name === 'chat'));
  const [chat] = await openChatList(bob);
  expect(chat).toMatchObject({ chatId: chatroom, isDeletedAccount: true });
  // The server, which erases accounts as well, may have told the partner at the same time.
  for (const event of bobLive.events) {
    expect(event).toEqual(['chat', expect.objectContaining({ isDeletedAccount: true })]);
  }
});

test('only email addresses of the allowed domains may register', async () => {
  const restricted = await startServer({
    PARLEY_ALLOWED_DOMAINS: 'example.org, Example.com, Bücher.example',
  });
  const join = (email: string) =>
    restricted
      .client()
      .request('POST', '/api/users/register', { email, username: 'Ada', password: 'correct' });
  expect(await join('ada@evil.example')).toMatchObject({
    status: 403,
    body: { code: 'domain_not_allowed' },
  });
  expect(await join('ada@sub.example.org')).toMatchObject({ status: 403 });
  expect(await join('Ada@EXAMPLE.com')).toMatchObject({ status: 201 });
  const international = await restricted.client().request('POST', '/api/users/register', {
    email: 'bob@xn--bcher-kva.example',
    username: 'Bob',
    password: 'correct',
  });
  expect(international).toMatchObject({ status: 201 });
  const { stdout } = await runCommand(restricted.variables, 'user', 'list');
  expect(stdout).toContain('bob@bücher.example');
  const verified = await runCommand(restricted.variables, 'user', 'verify', 'Bob@BÜCHER.example.');
  expect(verified.stdout).toBe('Bob was verified.\n');
  const link = await runCommand(restricted.variables, 'user', 'reset-link', 'bob@bücher.example');
  expect(link.stdout).toContain('email=bob%40b%C3%BCcher.example&');
  expect(link.stdout).toContain('(for bob@bücher.example, until');
  await restricted.close();
});
