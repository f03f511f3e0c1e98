import { expect, test } from 'vitest';
import { folderOf, pageName, toLink } from './export-folder.ts';

test.each([
  ['Berta', '0007 Berta'],
  ['CON', '0007 CON'],
  ['nul.txt', '0007 nul_txt'],
  ['dots...', '0007 dots___'],
  ['..', '0007 __'],
  ['a/b\\c:d*e?f"g<h>i|j', '0007 a_b_c_d_e_f_g_h_i_j'],
  ['line\nbreak\0', '0007 line_break_'],
  ['\u202eright', '0007 _right'],
  ['Ju\u0308rgen', '0007 Jürgen'],
  ['علي', '0007 علي'],
  ['', '0007 '.trimEnd() + ' '],
])('stores the chat with %j in a folder that every system accepts', (username, folder) => {
  expect(folderOf(7, username)).toBe(folder);
});

test('numbers chats and pages so that they are sorted', () => {
  expect([folderOf(12, 'a'), folderOf(12_345, 'a')]).toEqual(['0012 a', '12345 a']);
  expect([pageName(1), pageName(2), pageName(10)]).toEqual([
    'index.html',
    'messages-0002.html',
    'messages-0010.html',
  ]);
});

test('encodes what has a meaning in links', () => {
  expect(toLink('chats/0001 a#b?c%/index.html')).toBe('chats/0001%20a%23b%3Fc%25/index.html');
});
