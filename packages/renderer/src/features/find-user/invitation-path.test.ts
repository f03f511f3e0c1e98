import { expect, test } from 'vitest';
import { invitationPath } from './invitation-path.ts';

const ORIGIN = 'https://chat.example.org';

test('finds the path of an invitation in its link', () => {
  expect(invitationPath(`${ORIGIN}/invite#a_B-1`, ORIGIN)).toBe('/invite#a_B-1');
});

test.each([
  'alice',
  'invite#code',
  `${ORIGIN}/invite`,
  `${ORIGIN}/chatarea#code`,
  'https://other.example.org/invite#code',
])('finds no invitation in %s', (text) => {
  expect(invitationPath(text, ORIGIN)).toBeUndefined();
});
