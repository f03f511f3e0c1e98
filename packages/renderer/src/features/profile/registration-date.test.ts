import { expect, test } from 'vitest';
import { registrationDate } from './registration-date.ts';

test('the day is written in the language of the reader', () => {
  expect(registrationDate('2025-03-07T12:00:00.000Z', 'en')).toBe('7 March 2025');
  expect(registrationDate('2025-03-07T12:00:00.000Z', 'de')).toBe('7. März 2025');
});

test.each(['', 'soon', null, undefined])('%s is no date', (iso) => {
  expect(registrationDate(iso, 'en')).toBeUndefined();
});
