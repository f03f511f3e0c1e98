import { expect, test } from 'vitest';
import { needsRestart, startSwitches } from './switches.ts';

const lan = 'http://192.168.1.20:3000';

test('only servers without encryption in the network are named, each exactly', () => {
  expect(startSwitches(['https://a.example', 'http://localhost:3000'])).toEqual([]);
  expect(startSwitches(['https://a.example', lan, 'http://b.lan'])).toEqual([
    ['unsafely-treat-insecure-origin-as-secure', `${lan},http://b.lan`],
  ]);
});

test('a server that is new since the start needs another one', () => {
  expect(needsRestart(lan, [])).toBe(true);
  expect(needsRestart(lan, [lan])).toBe(false);
  expect(needsRestart('https://a.example', [])).toBe(false);
});
