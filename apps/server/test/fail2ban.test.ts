import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClient } from './harness.ts';
import { spawnServer } from './spawn-server.ts';
import { until } from './until.ts';

const FILTER = join(import.meta.dirname, '../deploy/fail2ban/filter.d/parley.conf');

/** Returns the filter's expression in the syntax of JavaScript. */
function readFailRegex(): RegExp {
  const [, source = ''] = /^failregex = (.+)$/m.exec(readFileSync(FILTER, 'utf8')) ?? [];
  expect(source).toContain('<ADDR>');
  return new RegExp(source.replace('<ADDR>', '(?<address>[\\da-f.:]+)'));
}

test('the filter for fail2ban finds the address of each failed login, and nothing else in the log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-fail2ban-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines: string[] = [];
  const server = await spawnServer(folder, {
    variables: { PARLEY_LOG_FAILED_LOGINS: 'true', PARLEY_TRUST_PROXY: '127.0.0.1,::1' },
    onLine: (line) => void lines.push(line),
  });
  const body = { email: 'anna@example.org', password: 'a guess' };
  for (const address of ['192.0.2.7', '2001:db8::7', '"}{"level":40']) {
    const headers = { 'x-forwarded-for': address };
    const login = await createTestClient(server.url).request(
      'POST',
      '/api/users/login',
      body,
      headers,
    );
    expect(login.status).toBe(404);
  }
  await until(() => lines.filter((line) => line.includes('failed login')).length === 3);
  expect(await server.stop()).toBe(0);

  const failRegex = readFailRegex();
  const inJournal = lines.map((line) => `chat parley[4711]: ${line}`);
  for (const log of [lines, inJournal]) {
    const found = log.flatMap((line) => failRegex.exec(line)?.groups?.['address'] ?? []);
    // Node may listen on IPv6 or IPv4 for localhost.
    expect(found).toEqual([
      '192.0.2.7',
      '2001:db8:0:0:0:0:0:7',
      expect.stringMatching(/^(?:127\.0\.0\.1|0:0:0:0:0:0:0:1)$/),
    ]);
  }
  expect(lines.join('\n')).not.toContain('anna');
});
