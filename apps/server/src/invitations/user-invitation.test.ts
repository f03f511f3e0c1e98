import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { usernameKey, type Invitation, type PublicConfig } from '@parley/contract';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  changeConsent,
  beginChat,
  openChatList,
  openChat,
  recordEvents,
} from '../../test/chatting.ts';
import {
  startServer,
  type TestClient,
  type TestServer,
  type TestUser,
} from '../../test/harness.ts';
import { details } from '../../test/joining.ts';
import { getKey, waitForMail } from '../../test/mails.ts';
import { runCommand } from '../../test/run-command.ts';
import { statuses } from '../../test/statuses.ts';
import { variablesOf } from '../../test/test-database.ts';

let server: TestServer;
afterEach(() => server.close());

const start = async (env: Record<string, string> = {}) => {
  server = await startServer(env);
  const [anna, berta] = [await server.signIn('Anna'), await server.signIn('Berta')];
  return { anna, berta };
};

async function invite(user: TestUser, body: object = {}): Promise<Invitation> {
  const response = await user.request('POST', '/api/invitations', { isSingleUse: true, ...body });
  expect(response.status).toBe(201);
  return response.body;
}

const list = async (user: TestUser): Promise<Invitation[]> =>
  (await user.request('GET', '/api/invitations')).body.invitations;

const revoke = (user: TestUser, id: string) => user.request('DELETE', `/api/invitations/${id}`);

const redeem = (user: TestUser, code: string) =>
  user.request('POST', '/api/invitations/redeem', { code });

const preview = (code: string, client: TestClient = server.client()) =>
  client.request('POST', '/api/invitations/preview', { code });

const INVALID = { status: 403, body: { code: 'invitation_invalid' } };

async function createOperatorCode(...args: string[]): Promise<string> {
  const { json } = await runCommand(server.variables, 'invite', ...args, '--json');
  return json.link.split('invitation=')[1];
}

describe('the invitations of a user', () => {
  test('show their codes again, also after a restart, until they are revoked', async () => {
    const { anna, berta } = await start();
    const single = await invite(anna, { note: '  for\n\n Carl\u0000 ', days: 1 });
    const open = await invite(anna, { isSingleUse: false, note: '\u2060\u00ad' });
    expect(single).toEqual({
      id: expect.any(String),
      code: expect.stringMatching(/^[\w-]{20}$/),
      isSingleUse: true,
      note: 'for Carl',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const days = ({ createdAt, expiresAt }: Invitation) =>
      (Date.parse(expiresAt) - Date.parse(createdAt)) / (24 * 60 * 60 * 1000);
    expect([days(single), days(open)]).toEqual([1, 30]);
    expect(open).toMatchObject({ isSingleUse: false, note: '' });

    server = await server.restart();
    expect(await list(anna)).toEqual([open, single]);
    expect(await list(berta)).toEqual([]);
    const rows = await server.ctx.storage.read((db) =>
      db.selectFrom('invitations').selectAll().execute(),
    );
    expect(JSON.stringify(rows)).not.toContain(single.code);

    expect(await preview(single.code)).toMatchObject({
      status: 200,
      body: { username: 'Anna', canRegister: true },
    });
    expect(await revoke(berta, single.id)).toMatchObject({ status: 404 });
    expect(await revoke(anna, single.id.toUpperCase())).toMatchObject({ status: 200 });
    expect(await revoke(anna, single.id)).toMatchObject({ status: 404 });
    expect(await preview(single.code)).toMatchObject(INVALID);
    expect(await redeem(berta, single.code)).toMatchObject(INVALID);
    expect(await list(anna)).toEqual([open]);
  });

  test('have valid properties and are limited to 20 that can be used', async () => {
    const { anna, berta } = await start();
    for (const body of [
      {},
      { isSingleUse: 'yes' },
      { isSingleUse: true, days: 0 },
      { isSingleUse: true, days: 366 },
      { isSingleUse: true, note: 'x'.repeat(61) },
    ]) {
      expect((await anna.request('POST', '/api/invitations', body)).status).toBe(400);
    }
    const created = await Promise.all(Array.from({ length: 20 }, () => invite(anna)));
    const create = () => anna.request('POST', '/api/invitations', { isSingleUse: true });
    expect(await create()).toMatchObject({ status: 403, body: { code: 'quota_invitations' } });
    await invite(berta);
    await revoke(anna, created[0]?.id ?? '');
    expect(statuses(await Promise.all([create(), create()]))).toEqual([201, 403]);
  });

  test(
    'are listed and revoked by the operator only on request, without their notes',
    { tags: ['postgres'] },
    async () => {
      const { anna } = await start();
      await createOperatorCode('--note', 'for Dora');
      const { id } = await invite(anna, { note: 'private' });
      const { id: openId } = await invite(anna, { isSingleUse: false });
      const run = (...args: string[]) => runCommand(server.variables, 'invite', ...args);
      const ofOperator = { note: 'for Dora', inviter: null, usesLeft: 1 };
      expect((await run('list', '--json')).json).toMatchObject([ofOperator]);
      expect((await run('list', '--people', '--json')).json).toMatchObject([
        { id: openId, note: '', inviter: 'Anna' },
        { id, note: '', inviter: 'Anna', usesLeft: 1 },
        ofOperator,
      ]);
      const { stdout } = await run('list', '--people');
      expect(stdout).toMatch(/INVITER +NOTE\n/);
      expect(stdout).toMatch(new RegExp(`${openId} +unlimited +\\d{4}-\\d\\d-\\d\\d +Anna\n`));
      expect(stdout).not.toContain('private');
      expect(await run('revoke', id)).toMatchObject({ code: 0 });
      expect(await list(anna)).toMatchObject([{ id: openId }]);
    },
  );

  test('work in a restored backup, with the same links', async () => {
    const { anna, berta } = await start();
    const { code } = await invite(anna);
    const folder = await mkdtemp(joinPath(tmpdir(), 'parley-invitations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const archive = joinPath(folder, 'backup.tar');
    expect(await runCommand(server.variables, 'backup', archive)).toMatchObject({ code: 0 });
    const dataDir = joinPath(folder, 'restored');
    const variables = await variablesOf(dataDir);
    expect(await runCommand(variables, 'restore', archive)).toMatchObject({ code: 0 });
    await server.close();

    server = await startServer({}, dataDir);
    await server.renewSession(Object.assign(anna, server.client()));
    await server.renewSession(Object.assign(berta, server.client()));
    expect(await list(anna)).toMatchObject([{ code }]);
    expect(await redeem(berta, code)).toMatchObject({ status: 200 });
  });
});

describe('redeeming an invitation', () => {
  test('starts an accepted chat, once if it is for one person', async () => {
    const { anna, berta } = await start();
    const others = await Promise.all(['Carl', 'Dora', 'Emil'].map((name) => server.signIn(name)));
    const users = [berta, ...others];
    const { code } = await invite(anna);
    const responses = await Promise.all(users.map((user) => redeem(user, ` ${code} `)));
    expect(statuses(responses)).toEqual([200, 403, 403, 403]);
    const winner = users[responses.findIndex(({ status }) => status === 200)] ?? berta;
    const [chat] = await openChatList(winner);
    expect(chat).toMatchObject({ usernames: ['Anna'], lastMessage: null, status: 'accepted' });
    expect(await openChatList(anna)).toMatchObject([
      {
        usernames: [winner.username],
        invitationAcceptedAt: expect.any(String),
        settings: { isMarkedUnread: true },
      },
    ]);
    for (const field of ['invitationAcceptedAt', 'settings']) {
      expect(chat).not.toHaveProperty(field);
    }
    expect(await list(anna)).toEqual([]);

    // Both accept each other already, so nothing is consumed.
    const second = await invite(anna);
    const chatroomId = chat?.chatId;
    expect(await redeem(winner, second.code)).toMatchObject({ status: 200, body: { chatroomId } });
    expect(await list(anna)).toEqual([second]);
  });

  test('of several people is possible for all of them', async () => {
    const { anna, berta } = await start();
    const carl = await server.signIn('Carl');
    const { code } = await invite(anna, { isSingleUse: false });
    const responses = await Promise.all([berta, carl].map((user) => redeem(user, code)));
    expect(statuses(responses)).toEqual([200, 200]);
    expect(await openChatList(anna)).toHaveLength(2);
    expect(await list(anna)).toMatchObject([{ code, isSingleUse: false }]);
  });

  test('accepts a request in either direction and informs the devices of both', async () => {
    const { anna, berta } = await start();
    const carl = await server.signIn('Carl');
    const first = await beginChat(berta, anna, 'Hello', { isRequest: true });
    const second = await beginChat(anna, carl, 'Hello', { isRequest: true });
    await changeConsent(carl, second, 'decline');
    const events = recordEvents(server);
    const { code } = await invite(anna, { isSingleUse: false });
    for (const [user, chatroomId] of [
      [berta, first],
      [carl, second],
    ] as const) {
      expect((await redeem(user, code)).body).toEqual({ chatroomId });
      for (const member of [anna, user]) {
        const chat = await openChat(member, chatroomId);
        expect(chat).toMatchObject({ status: 'accepted' });
        expect(chat).not.toHaveProperty('isSentAsRequest');
        expect(events).toContainEqual({ type: 'chat-changed', userId: member.id, chat });
      }
    }
  });

  test('tells the inviter, once, until the inviter opens the chat', async () => {
    const { anna, berta } = await start();
    const events = recordEvents(server);
    const { code } = await invite(anna, { isSingleUse: false });
    const { chatroomId } = (await redeem(berta, code)).body;
    const chat = await openChat(anna, chatroomId);
    const acceptedAt = Date.parse(chat?.invitationAcceptedAt ?? '');
    const told = events.filter((event) => 'userId' in event && event.userId === anna.id);
    expect(told.map(({ type }) => type)).toEqual([
      'relationship-changed',
      'chat-changed',
      'invitation-accepted',
    ]);
    expect(told.slice(1)).toEqual([
      { type: 'chat-changed', userId: anna.id, chat },
      { type: 'invitation-accepted', userId: anna.id, chatroomId, acceptedAt },
    ]);
    await redeem(berta, code);
    await anna.request('POST', `/api/chatrooms/chats/${chatroomId}/mark-as-read`, {});
    const opened = await openChat(anna, chatroomId);
    expect(opened).toMatchObject({ invitationAcceptedAt: chat?.invitationAcceptedAt });
    expect(opened).not.toHaveProperty('settings');
    expect(events.filter(({ type }) => type === 'invitation-accepted')).toHaveLength(1);
  });

  test("is rejected for the user's own, an operator's and an unknown code", async () => {
    const { anna, berta } = await start();
    const { code } = await invite(anna);
    expect(await redeem(anna, code)).toMatchObject({ status: 400, body: { code: 'self_chat' } });
    const operatorCode = await createOperatorCode();
    const responses = [
      await redeem(berta, operatorCode),
      await preview(operatorCode),
      await redeem(berta, 'unknown'),
      await preview(code.slice(0, -1)),
    ];
    for (const response of responses) expect(response).toMatchObject(INVALID);
    expect(await list(anna)).toMatchObject([{ code }]);
  });

  test(
    'is rejected if the invitation has expired or the inviter is not available',
    { tags: ['postgres'] },
    async () => {
      const { berta } = await start();
      const unknown = await redeem(berta, 'unknown');
      expect(unknown).toMatchObject(INVALID);
      const changes: [name: string, change: (inviter: TestUser) => Promise<unknown>][] = [
        ['Deleted', (inviter) => inviter.request('DELETE', '/api/users/delete')],
        ['Suspended', (inviter) => suspend(inviter)],
        ['Nobody', (inviter) => refuseFirstMessages(inviter)],
        ['Expired', () => expireInvitations()],
      ];
      for (const [name, change] of changes) {
        const inviter = await server.signIn(name);
        const { code } = await invite(inviter);
        expect((await preview(code)).body).toMatchObject({ username: name });
        await change(inviter);
        for (const { status, body } of [await redeem(berta, code), await preview(code)]) {
          expect([name, status, body]).toEqual([name, unknown.status, unknown.body]);
        }
      }
      expect(await openChatList(berta)).toEqual([]);
    },
  );

  test('of a user whom the current user has blocked tells the inviter nothing', async () => {
    const { anna, berta } = await start();
    const chatroomId = await beginChat(anna, berta, 'Hello', { isRequest: true });
    await changeConsent(berta, chatroomId, 'block');
    const events = recordEvents(server);
    const { code } = await invite(anna);
    expect((await redeem(berta, code)).body).toEqual({ chatroomId });
    expect(events.filter(({ type }) => type === 'invitation-accepted')).toEqual([]);
    const chat = await openChat(anna, chatroomId);
    for (const field of ['invitationAcceptedAt', 'settings']) {
      expect(chat).not.toHaveProperty(field);
    }
  });

  test(
    'of a user who has blocked the current user does the same as without a block',
    { tags: ['postgres'] },
    async () => {
      const { anna, berta } = await start();
      const carl = await server.signIn('Carl');
      const ofBerta = await beginChat(berta, anna, 'Hello', { isRequest: true });
      const ofCarl = await beginChat(carl, anna, 'Hello', { isRequest: true });
      await changeConsent(anna, ofBerta, 'block');
      const events = recordEvents(server);
      const results = [];
      for (const [user, chatroomId] of [
        [berta, ofBerta],
        [carl, ofCarl],
      ] as const) {
        const { code } = await invite(anna);
        const { status, body } = await redeem(user, code);
        expect(body).toEqual({ chatroomId });
        const isConsumed = (await list(anna)).length === 0;
        const again = await redeem(user, (await invite(anna)).code);
        const isKept = (await list(anna)).length === 1;
        for (const { id } of await list(anna)) await revoke(anna, id);
        const own = events.filter((event) => 'userId' in event && event.userId === user.id);
        results.push({ status, isConsumed, again: again.status, isKept, events: own.length });
      }
      const expected = { status: 200, isConsumed: true, again: 200, isKept: true, events: 2 };
      expect(results).toEqual([expected, expected]);
      const told = events.filter((event) => event.type === 'chat-changed');
      const toldAnna = told.filter(({ userId }) => userId === anna.id).map(({ chat }) => chat);
      expect(new Set(toldAnna.map(({ chatId }) => chatId))).toEqual(new Set([ofCarl]));
      expect(toldAnna.at(-1)).toMatchObject({ status: 'accepted' });
      const accepted = events.filter((event) => event.type === 'invitation-accepted');
      expect(accepted.map(({ chatroomId }) => chatroomId)).toEqual([ofCarl]);
      const blocked = await openChat(anna, ofBerta);
      expect(blocked).toMatchObject({ status: 'blocked' });
      expect(blocked).not.toHaveProperty('invitationAcceptedAt');
      expect(await openChatList(anna)).toMatchObject([{ usernames: ['Carl'] }]);
      await changeConsent(anna, ofBerta, 'unblock');
      expect(await openChatList(anna)).toHaveLength(2);
    },
  );
});

async function expireInvitations(): Promise<void> {
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('invitations').set({ expires_at: Date.now() }).execute(),
  );
}

async function suspend(user: TestUser): Promise<void> {
  await server.ctx.storage.write(({ trx }) =>
    trx.updateTable('users').set({ suspended_at: 1 }).where('id', '=', user.id).execute(),
  );
}

async function refuseFirstMessages(user: TestUser): Promise<void> {
  const body = { whoMayWrite: 'nobody' };
  expect(await user.request('PATCH', '/api/users/settings', body)).toMatchObject({ status: 200 });
}

describe('registration with an invitation of a user', () => {
  const nora = details('Nora');
  const register = (invitation: string, account = nora) =>
    server.client().request('POST', '/api/users/register', { ...account, invitation });
  const getConfig = async (): Promise<PublicConfig> =>
    (await server.client().request('GET', '/api/config')).body;
  /** The registrations with an inviter. */
  const introductions = () =>
    server.ctx.storage.read((db) =>
      db.selectFrom('registrations').selectAll().where('inviter_id', 'is not', null).execute(),
    );
  const run = (...args: string[]) => runCommand(server.variables, ...args);

  /** Creates a session of an account without its password. */
  async function signInAs(username: string): Promise<TestUser> {
    const { id } = await server.ctx.storage.read((db) =>
      db
        .selectFrom('users')
        .select('id')
        .where('username_key', '=', usernameKey(username))
        .executeTakeFirstOrThrow(),
    );
    const user = { ...server.client(), id, username, sessionId: '' };
    await server.renewSession(user);
    return user;
  }

  async function expectIntroduced(anna: TestUser, username: string): Promise<void> {
    const user = await signInAs(username);
    const [[chat], [own]] = [await openChatList(anna), await openChatList(user)];
    expect(chat).toMatchObject({ usernames: [username], lastMessage: null });
    expect(own).toMatchObject({ chatId: chat?.chatId, usernames: ['Anna'] });
    for (const side of [chat, own]) expect(side).toMatchObject({ status: 'accepted' });
    expect(await introductions()).toEqual([]);
  }

  test(
    'starts a chat once the emailed key is entered, and ignores invalid codes',
    { tags: ['postgres'] },
    async () => {
      const { anna } = await start();
      expect((await getConfig()).userInvitations).toBe(true);
      const { code } = await invite(anna);
      expect(await register(code)).toMatchObject({ status: 201 });
      expect(await openChatList(anna)).toEqual([]);
      expect(await list(anna)).toEqual([]);
      const operatorCode = await createOperatorCode();
      for (const [i, unused] of [code, operatorCode, 'unknown'].entries()) {
        expect(await register(unused, details(`Other${i}`))).toMatchObject({ status: 201 });
      }
      expect(await introductions()).toMatchObject([{ inviter_id: anna.id }]);
      expect((await run('invite', 'list', '--json')).json).toHaveLength(1);

      const events = recordEvents(server);
      const key = getKey(await waitForMail(server, nora.email));
      const verify = { email: nora.email, key };
      const verified = await server.client().request('POST', '/api/users/register/verify', verify);
      const [chat] = await openChatList(anna);
      expect(verified).toMatchObject({
        status: 200,
        body: { isVerified: true, chatroomId: chat?.chatId },
      });
      await expectIntroduced(anna, 'Nora');
      const informed = events.flatMap((event) =>
        event.type === 'chat-changed' ? event.userId : [],
      );
      expect(informed.toSorted()).toEqual([anna.id, (await signInAs('Nora')).id].toSorted());
    },
  );

  test('is possible with a variable if registration is by invitation', async () => {
    const { anna } = await start({
      PARLEY_REGISTRATION: 'invite',
      PARLEY_USER_INVITATIONS: 'true',
    });
    expect((await getConfig()).userInvitations).toBe(true);
    const { code } = await invite(anna);
    expect((await preview(code)).body).toEqual({ username: 'Anna', canRegister: true });
    const accounts = ['Nora', 'Otto', 'Paul'].map(details);
    const responses = await Promise.all(accounts.map((account) => register(code, account)));
    expect(statuses(responses)).toEqual([201, 403, 403]);
    const winner = accounts.find((_, i) => responses[i]?.status === 201);
    expect(await run('user', 'verify', winner?.username ?? '')).toMatchObject({ code: 0 });
    await expectIntroduced(anna, winner?.username ?? '');
    const withOperatorCode = await register(await createOperatorCode(), details('Rosa'));
    expect(withOperatorCode).toMatchObject({ status: 201 });
  });

  test.each([
    ['invite', 'false', 'invitation_invalid'],
    ['closed', 'true', 'registration_closed'],
  ])('is rejected if it is %s and the variable %s', async (mode, variable, code) => {
    const { anna, berta } = await start({
      PARLEY_REGISTRATION: mode,
      PARLEY_USER_INVITATIONS: variable,
    });
    expect((await getConfig()).userInvitations).toBe(false);
    const invitation = await invite(anna);
    expect((await preview(invitation.code)).body).toEqual({ username: 'Anna', canRegister: false });
    expect(await register(invitation.code)).toMatchObject({ status: 403, body: { code } });
    expect(await list(anna)).toEqual([invitation]);
    expect(await redeem(berta, invitation.code)).toMatchObject({ status: 200 });
  });

  test('starts no chat if the inviter has changed their mind before the verification', async () => {
    const { anna, berta } = await start();
    const { code } = await invite(anna, { isSingleUse: false });
    await register(code);
    await register(code, details('Otto'));
    await register((await invite(berta)).code, details('Paul'));
    await berta.request('DELETE', '/api/users/delete');
    await refuseFirstMessages(anna);
    expect(await register(code, details('Rosa'))).toMatchObject({ status: 201 });
    expect(await introductions()).toHaveLength(2);
    expect(await run('user', 'verify', 'Nora')).toMatchObject({ code: 0 });
    await suspend(anna);
    expect(await run('user', 'verify', 'Otto')).toMatchObject({ code: 0 });
    expect(await run('user', 'verify', 'Paul')).toMatchObject({ code: 0 });
    expect(await openChatList(anna)).toEqual([]);
    expect(await introductions()).toEqual([]);
  });

  test('leaves nothing of either account after its deletion', async () => {
    const { anna, berta } = await start();
    await invite(anna);
    await register((await invite(anna)).code);
    const ofBerta = await invite(berta);
    await register(ofBerta.code, details('Otto'));
    await anna.request('DELETE', '/api/users/delete');
    expect(await introductions()).toMatchObject([{ inviter_id: berta.id }]);
    expect((await run('user', 'delete', 'Otto', '--yes')).code).toBe(0);
    expect(await introductions()).toEqual([]);
    const { json } = await run('invite', 'list', '--people', '--json');
    expect(json).toEqual([]);
  });
});
