import { expect, test } from 'vitest';
import { exportFiles } from '../../test/exporting.ts';
import { startServer, type TestUser } from '../../test/harness.ts';
import { getKey, waitForMail } from '../../test/mails.ts';

test('an export names the wanted and the former addresses of the account, and no address as a setting', async () => {
  const server = await startServer();
  const anna = await server.signIn('Anna');
  const request = (email: string) =>
    anna.request('POST', '/api/users/email', { email, password: 'password' });
  const change = async (email: string) => {
    expect((await request(email)).status).toBe(202);
    const key = getKey(await waitForMail(server, email));
    expect((await anna.request('POST', '/api/users/email/verify', { email, key })).status).toBe(
      200,
    );
  };
  const read = async (user: TestUser, language: 'en' | 'de' = 'en') => {
    const files = await exportFiles(server, user, { language });
    const { account, settings } = JSON.parse(files['account.json'] ?? '');
    return { account, settings, overview: files['index.html'] ?? '' };
  };
  const first = `${anna.id}@example.org`;
  const before = await read(anna);
  expect(before.account).toMatchObject({ email: first, newEmail: null, formerEmails: [] });
  expect(before.overview).not.toMatch(/New email|Former emails/);

  await change('anna@second.example');
  await change('anna@xn--strae-oqa.example');
  expect((await request('anna@wanted.example')).status).toBe(202);
  const { account, settings, overview } = await read(anna);
  const restorableUntil = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(account).toMatchObject({
    email: 'anna@straße.example',
    newEmail: 'anna@wanted.example',
    formerEmails: [
      { email: 'anna@second.example', restorableUntil },
      { email: first, restorableUntil },
    ],
  });
  expect(JSON.stringify(settings)).not.toMatch(/mail/i);
  expect(overview).toContain(
    '<dt>New email, not confirmed yet</dt><dd><bdi>anna@wanted.example</bdi></dd>',
  );
  for (const email of ['anna@second.example', first]) {
    expect(overview).toMatch(`<bdi>${email}</bdi> <span class="note">can take the account back`);
  }
  expect((await read(anna, 'de')).overview).toContain('Frühere E-Mails');
  await server.close();
});
