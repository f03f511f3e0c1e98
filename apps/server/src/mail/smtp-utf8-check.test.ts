import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSmtpInbox } from '../../test/smtp-inbox.ts';
import { createSmtpUtf8Check } from './smtp-utf8-check.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const withoutLogin = { disabledCommands: ['AUTH', 'STARTTLS'] };
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('asks a mail server that could not be reached again, but not for each registration', async () => {
  const gone = await startSmtpInbox();
  await gone.close();
  const supportsSmtpUtf8 = createSmtpUtf8Check({ smtpUrl: `smtp://127.0.0.1:${gone.port}` });
  expect(await supportsSmtpUtf8()).toBe(false);
  const server = await startSmtpInbox(withoutLogin, gone.port);
  expect(await supportsSmtpUtf8()).toBe(false);
  pass(30);
  expect(await supportsSmtpUtf8()).toBe(true);
  await server.close();
});

test('learns within minutes that the mail server has changed', async () => {
  let connections = 0;
  const onConnect = (_session: unknown, done: () => void) => {
    connections += 1;
    done();
  };
  const before = await startSmtpInbox({ ...withoutLogin, onConnect });
  const supportsSmtpUtf8 = createSmtpUtf8Check({ smtpUrl: `smtp://127.0.0.1:${before.port}` });
  const all = await Promise.all(Array.from({ length: 5 }, supportsSmtpUtf8));
  expect(all).toEqual([true, true, true, true, true]);
  expect(connections).toBe(1);
  await before.close();
  const after = await startSmtpInbox({ ...withoutLogin, hideSMTPUTF8: true }, before.port);
  expect(await supportsSmtpUtf8()).toBe(true);
  pass(600);
  expect(await supportsSmtpUtf8()).toBe(false);
  await after.close();
});

test('accepts any address if mails are written to files', async () => {
  expect(await createSmtpUtf8Check({ smtpUrl: undefined })()).toBe(true);
});
