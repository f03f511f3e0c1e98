import { expect, test } from 'vitest';
import { needsRestart, getStartSwitches } from './switches.ts';

const lan = 'http://192.168.1.20:3000';

test('lists exactly the servers that are reached over the network without encryption', () => {
  expect(getStartSwitches(['https://a.example', 'http://localhost:3000'])).toEqual([]);
  expect(getStartSwitches(['https://a.example', lan, 'http://b.lan'])).toEqual([
    ['unsafely-treat-insecure-origin-as-secure', `${lan},http://b.lan`],
  ]);
});

test('needs a restart for an unencrypted server that was added since the start', () => {
  expect(needsRestart(lan, [])).toBe(true);
  expect(needsRestart(lan, [lan])).toBe(false);
  expect(needsRestart('https://a.example', [])).toBe(false);
});
