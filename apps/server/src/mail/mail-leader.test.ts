import { callbackify } from 'node:util';
import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startPostgresCluster } from '@parley/testing';
import { startServer, type TestServer } from '../../test/harness.ts';
import { details } from '../../test/joining.ts';
import {
  countTerms,
  IS_ON_POSTGRES,
  startServerGroup,
  TERMINATE_LEADER,
  type ServerGroup,
} from '../../test/server-group.ts';
import { SMTP_CERTIFICATE, startSmtpInbox, type SmtpInbox } from '../../test/smtp-inbox.ts';
import { trust } from '../../test/trust.ts';
import { until } from '../../test/until.ts';
import { claimMails, insertMail } from './mail-queue.repository.ts';

beforeAll(() => trust(SMTP_CERTIFICATE.cert));
afterAll(() => trust());

/** Longer than the time after which the leader looks for mails without being told. */
const POLL = 60_000;

const register = async (server: TestServer, name: string) => {
  const { status } = await server.client().request('POST', '/api/users/register', details(name));
  expect(status).toBe(201);
};
const queuedMails = ({ ctx }: TestServer) =>
  ctx.storage.read((db) => db.selectFrom('outgoing_mails').selectAll().execute());
const waitUntilSent = (server: TestServer) =>
  until(async () => (await queuedMails(server)).length === 0, POLL);
const recipients = (smtp: SmtpInbox) =>
  smtp.mails.map((mail) => mail.to?.[0]?.address ?? '').toSorted((a, b) => a.localeCompare(b));

/** Starts a mail server that accepts no recipient before `release`, and counts the attempts. */
async function startHoldingInbox() {
  let attempts = 0;
  const holding = Promise.withResolvers<void>();
  const smtp = await startSmtpInbox({
    authOptional: true,
    onRcptTo: callbackify(async (_address: SMTPServerAddress, _session: SMTPServerSession) => {
      attempts += 1;
      await holding.promise;
    }),
  });
  onTestFinished(() => smtp.close());
  const waitForAttempt = (count: number) => until(() => attempts >= count, POLL);
  return { smtp, waitForAttempt, release: () => holding.resolve() };
}

test('concurrent claims of a mail succeed only once', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const { id: userId } = await server.signIn('Anna');
  // The server itself does not send it, and does not take the time for one of a clock that was ahead.
  const dueAt = Date.now() + 10 * 60 * 1000;
  const mail = {
    userId,
    purpose: 'reset',
    email: null,
    key: 'KEY',
    now: dueAt,
    expiresAt: 2 * dueAt,
  } as const;
  const { storage } = server.ctx;
  await storage.write(({ trx }) => insertMail(trx, mail));
  const ids = (await queuedMails(server)).map(({ id }) => id);
  const claims = await Promise.all(
    Array.from({ length: 5 }, () =>
      storage.write(({ trx }) => claimMails(trx, ids, dueAt, dueAt + 1), { isConcurrent: true }),
    ),
  );
  expect(claims.flatMap((claimed) => Array.from(claimed))).toEqual(ids);
});

describe.skipIf(!IS_ON_POSTGRES)('two servers on one database', { timeout: 3 * POLL }, () => {
  let group: ServerGroup;
  afterEach(() => group.closeAll());

  const countAllTerms = () => group.servers.map(countTerms).reduce((a, b) => a + b);
  const otherThan = (leader: TestServer) =>
    group.servers.find((server) => server !== leader) ?? expect.fail();

  test('send each mail once, whichever server queued it', async () => {
    const smtp = await startSmtpInbox({ authOptional: true });
    onTestFinished(() => smtp.close());
    group = await startServerGroup({ PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
    const names = Array.from({ length: 8 }, (_, i) => `user${i}`);
    await Promise.all(names.map((name, i) => register(group.servers[i % 2] as TestServer, name)));
    await waitUntilSent(group.servers[0]);
    expect(recipients(smtp)).toEqual(names.map((name) => details(name).email));
    expect(countAllTerms()).toBe(1);
  });

  test('send mails after the leader has closed, also those that it could not send', async () => {
    const { smtp, waitForAttempt, release } = await startHoldingInbox();
    group = await startServerGroup({ PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
    const leader = await group.leader();
    await register(leader, 'Anna');
    await waitForAttempt(1);
    await group.close(leader);
    release();
    const next = otherThan(leader);
    await until(() => countTerms(next) === 1);
    await waitUntilSent(next);
    expect(recipients(smtp)).toEqual(['anna@example.org']);
  });

  test('send a mail once if the leader loses its connection during the delivery', async () => {
    const { smtp, waitForAttempt, release } = await startHoldingInbox();
    group = await startServerGroup({ PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
    const leader = await group.leader();
    await register(leader, 'Anna');
    await waitForAttempt(1);
    await group.run(TERMINATE_LEADER);
    const next = otherThan(leader);
    // The next attempt begins only after the first one has ended.
    await waitForAttempt(2);
    await register(next, 'Berta');
    release();
    await waitUntilSent(next);
    expect(recipients(smtp)).toEqual(['anna@example.org', 'berta@example.org']);
  });

  test('lose and double no mail while leaders lose their connections repeatedly', async () => {
    const smtp = await startSmtpInbox({ authOptional: true });
    onTestFinished(() => smtp.close());
    group = await startServerGroup({ PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
    await group.leader();
    const names = Array.from({ length: 12 }, (_, i) => `name${10 + i}`);
    for (const [i, name] of names.entries()) {
      await register(group.servers[i % 2] as TestServer, name);
      if (i % 4 !== 3) continue;
      const terms = countAllTerms();
      await group.run(TERMINATE_LEADER);
      await until(() => countAllTerms() > terms);
    }
    await waitUntilSent(group.servers[0]);
    expect(recipients(smtp)).toEqual(names.map((name) => details(name).email));
  });
});

test.skipIf(!IS_ON_POSTGRES)(
  'a mail is sent once if PostgreSQL restarts during the delivery',
  { timeout: 3 * POLL },
  async () => {
    const { smtp, waitForAttempt, release } = await startHoldingInbox();
    // Otherwise, commits before the restart may be lost.
    const cluster = await startPostgresCluster({ isDurable: true });
    onTestFinished(() => cluster.stop());
    const server = await startServer({
      PARLEY_DATABASE_URL: cluster.urlOf('postgres'),
      PARLEY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    });
    onTestFinished(() => server.close());
    await register(server, 'Anna');
    await waitForAttempt(1);
    await cluster.restart();
    await waitForAttempt(2);
    release();
    await waitUntilSent(server);
    expect(recipients(smtp)).toEqual(['anna@example.org']);
  },
);
