import { expect, test } from 'vitest';
import { registrationDate } from './registration-date.ts';

test('formats the day in the given language', () => {
  expect(registrationDate('2025-03-07T12:00:00.000Z', 'en')).toBe('7 March 2025');
  expect(registrationDate('2025-03-07T12:00:00.000Z', 'de')).toBe('7. März 2025');
});

test.each(['', 'soon', null, undefined])('returns undefined for %s', (iso) => {
  expect(registrationDate(iso, 'en')).toBeUndefined();
});
