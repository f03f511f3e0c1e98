import { LANGUAGE_CODES, loadTexts } from '@parley/texts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rateLimitedMessage } from '../src/errors/error-messages.ts';
import { startServer, type TestServer } from './harness.ts';
import { waitForMail } from './mails.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe.each(LANGUAGE_CODES)('the language %s', (language) => {
  test('is used for errors if the client prefers it', async () => {
    const { unauthenticated, not_found } = await loadTexts(language, 'errors');
    const headers = { 'accept-language': `${language}-CH,${language};q=0.9,en;q=0.1` };
    const guest = server.client();
    const refused = await guest.request('GET', '/api/users/current', undefined, headers);
    expect(refused.body.errorMessage).toBe(unauthenticated);
    const missing = await guest.request('GET', '/api/nothing', undefined, headers);
    expect(missing.body.errorMessage).toBe(not_found);
  });

  test('expresses long waiting times in minutes', async () => {
    const { rate_limited, rate_limited_network } = await loadTexts(language, 'errors');
    expect(rateLimitedMessage(language, 60)).toBe(rate_limited);
    expect(rateLimitedMessage(language, 61)).toMatch(/(?<!\d)2(?!\d)/);
    expect(rateLimitedMessage(language, 61)).not.toContain('{{');
    expect(rateLimitedMessage(language, 60, 'network')).toBe(rate_limited_network);
    expect(rateLimitedMessage(language, 61, 'network')).toMatch(/(?<!\d)2(?!\d)/);
  });
});

test.each(LANGUAGE_CODES)(
  'stores the language %s of an account and uses it for mails',
  async (language) => {
    const guest = server.client();
    const username = `Ada${language}`;
    const email = `${language}@example.org`;
    const account = { email, username, password: 'secret-secret', language };
    expect(await guest.request('POST', '/api/users/register', account)).toMatchObject({
      status: 201,
    });
    const { greeting } = (await loadTexts(language, 'mail')).verify;
    const mail = await waitForMail(server, email);
    expect(mail.text).toContain(greeting.replace('{{username}}', username));

    const anna = await server.signIn(`Anna${language}`);
    const body = { language };
    expect(await anna.request('PATCH', '/api/users/language', body)).toMatchObject({
      status: 200,
      body,
    });
    expect(await anna.request('GET', '/api/users/current')).toMatchObject({ status: 200, body });
  },
);

test('reads an unknown stored language as the default language', async () => {
  const anna = await server.signIn('Anna');
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('users')
      .set({ language: 'xx' as never })
      .where('id', '=', anna.id)
      .execute(),
  );
  const { body } = await anna.request('GET', '/api/users/current');
  expect(body.language).toBe('en');
});

test('rejects an unknown language', async () => {
  const berta = await server.signIn('Berta');
  const response = await berta.request('PATCH', '/api/users/language', { language: 'xx' });
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});
