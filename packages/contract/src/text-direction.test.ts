import { expect, test } from 'vitest';
import { collapseSpace, directionOf, isolate, joinLines } from './text-direction.ts';

test.each([
  ['Hello שלום', 'ltr'],
  ['שלום Hello', 'rtl'],
  ['«12:30» مرحبا, Bob', 'rtl'],
  ['👋 ߒߞߏ', 'rtl'],
  ['𞤀𞤣𞤤𞤢𞤥', 'rtl'],
  ['12:30', 'ltr'],
  ['', 'ltr'],
])('the direction of %j is %s', (line, direction) => {
  expect(directionOf(line)).toBe(direction);
});

test.each([
  [' one \n two  three ', 'one two three'],
  ['שלום!\nHello!', '\u2068שלום!\u2069 Hello!'],
  ['Hello\r\n\r\nمرحبا؟\u2028end', 'Hello \u2068مرحبا؟\u2069 end'],
  ['שלום  עולם!', 'שלום עולם!'],
])('%j becomes the line %j, in which each line keeps its direction', (text, line) => {
  expect(joinLines(collapseSpace(text))).toBe(line);
});

test('only right-to-left text is isolated', () => {
  expect(isolate('Hello!')).toBe('Hello!');
  expect(isolate('Bob: שלום!')).toBe('\u2068Bob: שלום!\u2069');
});
