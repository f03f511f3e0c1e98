import { expect, test } from 'vitest';
import { press } from '../../../test/press.ts';
import { isCharacterKey } from './character-key.ts';

/** Returns whether a key press writes on other systems and on those by Apple. */
function writes(keys: string): [others: boolean, apple: boolean] {
  const event = {
    ...press(keys),
    getModifierState: (name: string) => name === 'AltGraph' && keys.split(' ').includes('AltGraph'),
  };
  return [isCharacterKey(event, { isApple: false }), isCharacterKey(event, { isApple: true })];
}

test.each(['a', 'Shift A', 'ß', '?', '7', 'ж', 'あ', '👍', 'লা', 'Dead', 'Process', 'AltGraph @'])(
  '%s writes',
  (keys) => {
    expect(writes(keys)).toEqual([true, true]);
  },
);

test('a space writes', () => {
  const event = { ...press(''), key: ' ', getModifierState: () => false };
  expect(isCharacterKey(event, { isApple: false })).toBe(true);
});

test('AltGr writes although Windows reports Ctrl and Alt', () => {
  expect(writes('Ctrl Alt AltGraph €')).toEqual([true, true]);
});

test('Option writes only on systems by Apple', () => {
  expect(writes('Alt @')).toEqual([false, true]);
  expect(writes('Alt Dead')).toEqual([false, true]);
});

test.each(['Ctrl v', 'Meta v', 'Meta AltGraph a', 'Ctrl Alt a'])('%s is a shortcut', (keys) => {
  expect(writes(keys)).toEqual([false, false]);
});

test.each(['Enter', 'Tab', 'Escape', 'ArrowUp', 'F10', 'Shift', 'AltGraph', 'Unidentified', ''])(
  'the key %o writes nothing',
  (keys) => {
    expect(writes(keys)).toEqual([false, false]);
  },
);
