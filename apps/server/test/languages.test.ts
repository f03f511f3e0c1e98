import { LANGUAGE_CODES, loadTexts } from '@parley/texts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rateLimitedMessage } from '../src/errors/messages.ts';
import { startServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  test('errors are in the language that the client prefers', async () => {
    const { unauthenticated, not_found } = await loadTexts(language, 'errors');
    const headers = { 'accept-language': `${language}-CH,${language};q=0.9,en;q=0.1` };
    const guest = server.client();
    const refused = await guest.request('GET', '/api/users/current', undefined, headers);
    expect(refused.body.errorMessage).toBe(unauthenticated);
    const missing = await guest.request('GET', '/api/nothing', undefined, headers);
    expect(missing.body.errorMessage).toBe(not_found);
  });

  test('a long wait is told in minutes', async () => {
    const { rate_limited } = await loadTexts(language, 'errors');
    expect(rateLimitedMessage(language, 60)).toBe(rate_limited);
    expect(rateLimitedMessage(language, 61)).toMatch(/(?<!\d)2(?!\d)/);
    expect(rateLimitedMessage(language, 61)).not.toContain('{{');
  });
});

test('a language that the product does not have is refused', async () => {
  const anna = await server.signIn('Anna');
  const response = await anna.request('PATCH', '/api/users/language', { language: 'xx' });
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});
