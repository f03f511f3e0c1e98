import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const oxlint = join(
  dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lint-'));
  writeFileSync(
    join(folder, '.oxlintrc.json'),
    JSON.stringify({
      jsPlugins: [join(import.meta.dirname, 'endpoint-paths.js')],
      categories: { correctness: 'off' },
      rules: { 'parley/no-endpoint-paths': 'error' },
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the numbers of the lines that the rule reports. */
function reportedLines(lines: readonly string[]): number[] {
  writeFileSync(join(folder, 'sample.ts'), lines.join('\n'));
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format', 'json', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { labels: { span: { line: number } }[] }[];
  };
  return diagnostics.map(({ labels }) => labels[0]?.span.line ?? 0).toSorted((a, b) => a - b);
}

test('reports server paths in strings, templates and regular expressions', () => {
  const lines = [
    "fetch('/api/users/login');",
    "fetch('api/users/login');",
    'fetch(`/api/chatrooms/chats/${id}`);',
    "const prefix = '/media/';",
    'const isSocket = /^\\/socket\\.io\\//;',
    "app.get('/healthz', handler);",
  ];
  expect(reportedLines(lines)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('accepts client routes, module paths, other URLs and prose about an API', () => {
  const lines = [
    "navigate('/chatarea/chats/new-chatroom');",
    "import { createApi } from './api/client.ts';",
    "const text = 'The API is described in the table';",
    "const url = 'https://example.org/about';",
    "const folder = '/mediathek';",
  ];
  expect(reportedLines(lines)).toEqual([]);
});
