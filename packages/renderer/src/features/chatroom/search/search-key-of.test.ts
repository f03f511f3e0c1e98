import { expect, test } from 'vitest';
import { press } from '../../../../test/press.ts';
import { searchKeyOf, type SearchKey } from './search-key-of.ts';

/** What a key does while the search is closed and while it is open, first on other systems, then on those by Apple. */
type Expected = readonly [
  others: readonly [SearchKey | undefined, SearchKey | undefined],
  apple: readonly [SearchKey | undefined, SearchKey | undefined],
];

const none = [undefined, undefined] as const;
const open = ['open', 'open'] as const;
const whileOpen = (key: SearchKey) => [undefined, key] as const;

test.each<[string, Expected]>([
  ['Ctrl f', [open, none]],
  ['Ctrl F', [open, none]],
  ['Meta f', [none, open]],
  ['Ctrl Meta f', [none, none]],
  ['Ctrl Shift F', [none, none]],
  ['Ctrl Alt f', [none, none]],
  ['Ctrl repeat f', [none, none]],
  ['f', [none, none]],
  ['F3', [whileOpen('older'), whileOpen('older')]],
  ['Shift F3', [whileOpen('newer'), whileOpen('newer')]],
  ['repeat F3', [whileOpen('older'), whileOpen('older')]],
  ['Ctrl F3', [none, none]],
  ['Ctrl g', [whileOpen('older'), none]],
  ['Meta Shift G', [none, whileOpen('newer')]],
  ['g', [none, none]],
  ['Escape', [whileOpen('close'), whileOpen('close')]],
  ['Shift Escape', [none, none]],
])('decides what %s does', (keys, expected) => {
  const systems = [false, true].map((isApple) =>
    [false, true].map((isOpen) => searchKeyOf(press(keys), { isApple, isOpen })),
  );
  expect(systems).toEqual(expected);
});
