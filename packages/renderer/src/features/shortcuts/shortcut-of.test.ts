import { expect, test } from 'vitest';
import { press } from '../../../test/press.ts';
import { shortcutOf, type Shortcut } from './shortcut-of.ts';

/** The shortcut outside and inside a text field, first on other systems, then on those by Apple. */
type Expected = readonly [
  others: readonly [Shortcut | undefined, Shortcut | undefined],
  apple: readonly [Shortcut | undefined, Shortcut | undefined],
];

const NEVER: Expected = [
  [undefined, undefined],
  [undefined, undefined],
];
const both = (outside: Shortcut, inside?: Shortcut): Expected => [
  [outside, inside],
  [outside, inside],
];

test.each<[string, Expected]>([
  ['Ctrl k', [['switch', 'switch'], NEVER[1]]],
  ['Ctrl K', [['switch', 'switch'], NEVER[1]]],
  ['Meta k', [NEVER[0], ['switch', 'switch']]],
  ['Ctrl Meta k', NEVER],
  ['Ctrl Shift K', NEVER],
  ['Ctrl Alt k', NEVER],
  ['Ctrl repeat k', NEVER],
  ['k', NEVER],
  ['Ctrl /', [['shortcuts', 'shortcuts'], NEVER[1]]],
  ['Ctrl Shift /', [['shortcuts', 'shortcuts'], NEVER[1]]],
  ['Meta /', [NEVER[0], ['shortcuts', 'shortcuts']]],
  ['Ctrl Alt /', NEVER],
  ['Ctrl repeat /', NEVER],
  ['/', NEVER],
  [
    'Alt ArrowUp',
    [
      ['previous', 'previous'],
      ['previous', undefined],
    ],
  ],
  [
    'Alt repeat ArrowDown',
    [
      ['next', 'next'],
      ['next', undefined],
    ],
  ],
  ['ArrowUp', NEVER],
  ['Alt Shift ArrowUp', NEVER],
  ['Ctrl Alt ArrowDown', NEVER],
  ['Alt ArrowLeft', NEVER],
  ['Shift ?', both('help')],
  ['?', both('help')],
  ['Ctrl ?', NEVER],
  ['Alt ?', NEVER],
  ['Escape', both('close')],
  ['Shift Escape', NEVER],
])('decides what %s does', (keys, expected) => {
  const systems = [false, true].map((isApple) =>
    [false, true].map((isTyping) => shortcutOf(press(keys), { isApple, isTyping })),
  );
  expect(systems).toEqual(expected);
});
