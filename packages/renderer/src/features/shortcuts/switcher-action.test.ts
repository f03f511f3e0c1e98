import { Settings } from 'lucide-react';
import { expect, test } from 'vitest';
import { findActions, type SwitcherAction } from './switcher-action.ts';

function action(name: string, words = ''): SwitcherAction {
  return { id: name, name, words, icon: Settings, movesFocus: false, run: () => undefined };
}

const ACTIONS = [
  action('Settings', 'options preferences Einstellungen'),
  action('Theme: Dark', 'appearance colors'),
  action('Theme: Light', 'appearance colors'),
  action('Sprache: Deutsch', 'Übersetzung'),
  action('Color options'),
];

const namesOf = (text: string) => findActions(ACTIONS, text).map(({ name }) => name);

test('finds actions by the beginnings of words in any order, those by name first', () => {
  expect(namesOf('')).toHaveLength(ACTIONS.length);
  expect(namesOf('dark th')).toEqual(['Theme: Dark']);
  expect(namesOf('  THEME ')).toEqual(['Theme: Dark', 'Theme: Light']);
  expect(namesOf('options')).toEqual(['Color options', 'Settings']);
  expect(namesOf('uber')).toEqual(['Sprache: Deutsch']);
  expect(namesOf('ings')).toEqual([]);
  expect(namesOf('theme settings')).toEqual([]);
});
