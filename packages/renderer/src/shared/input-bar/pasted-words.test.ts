import { expect, test } from 'vitest';
import { hasPastedWords } from './pasted-words.ts';

/** Creates a clipboard with files of these names and data by type. */
function clipboardOf(names: readonly string[], data: Readonly<Record<string, string>>) {
  const files = names.map((name) => ({ name })) as unknown as FileList;
  return { files, getData: (type: string) => data[type] ?? '' };
}

test.each<[string, string[], Record<string, string>]>([
  ['of a slide with a picture of them', ['image.png'], { 'text/plain': 'Some words of a slide' }],
  ['of a handwritten note', ['ink.png'], { 'text/plain': 'Buy milk\r\nand image.png' }],
  ['of one line with a colon', ['image.png'], { 'text/plain': 'Note:milk' }],
  ['of a cell', ['image.png'], { 'text/plain': 'A1\tB1', 'text/html': '<td>A1<td>B1' }],
  [
    'that are an address in a cell',
    ['image.png'],
    { 'text/plain': 'https://parley.example', 'text/html': '<td>https://parley.example' },
  ],
])('finds words %s', (_, names, data) => {
  expect(hasPastedWords(clipboardOf(names, data))).toBe(true);
});

test.each<[string, string[], Record<string, string>]>([
  ['a screenshot', ['image.png'], {}],
  ['a picture of a browser', ['image.png'], { 'text/html': '<img src="cat.png">' }],
  ['an empty cell', ['image.png'], { 'text/plain': '\r\n', 'text/html': '<td></td>' }],
  ['a file with its name', ['My cat.jpg'], { 'text/plain': 'My cat.jpg' }],
  ['files with their paths', ['a b.png', 'c.png'], { 'text/plain': '/home/a b.png\n/home/c.png' }],
  ['a file with a path of Windows', ['a b.png'], { 'text/plain': 'C:\\Pictures\\a b.png' }],
  ['a file of macOS with its name', ['Cafe\u0301.png'], { 'text/plain': 'Café.png' }],
  ['a file with its address', ['a.png'], { 'text/plain': 'file:///home/a.png' }],
  ['a picture with its address', ['image.png'], { 'text/plain': 'https://cats.example/1.jpg' }],
])('finds no words beside %s', (_, names, data) => {
  expect(hasPastedWords(clipboardOf(names, data))).toBe(false);
});
