import { expect, test } from 'vitest';
import { reportedLines as reportedLinesOf } from './reported-lines.ts';

const reportedLines = (lines: readonly string[]): number[] =>
  reportedLinesOf('endpoint-paths.js', 'parley/no-endpoint-paths', lines);

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
