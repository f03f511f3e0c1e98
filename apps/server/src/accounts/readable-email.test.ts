import { expect, test } from 'vitest';
import { toReadableEmail } from './readable-email.ts';

test.each([
  ['anna@xn--mller-kva.example', 'anna@müller.example'],
  ['anna@xn--strae-oqa.example', 'anna@straße.example'],
  ['anna@xn--r8jz45g.xn--zckzah', 'anna@例え.テスト'],
  ['anna@xn--e1afmkfd.xn--p1ai', 'anna@пример.рф'],
  ['jürgen@example.org', 'jürgen@example.org'],
  // As earlier versions may have stored it.
  ['anna@mu\u0308ller.example', 'anna@müller.example'],
])('shows %s as %s', (email, readable) => expect(toReadableEmail(email)).toBe(readable));

test.each([
  ['Cyrillic letters that look like Latin ones', 'anna@xn--80ak6aa92e.com'],
  ['Greek letters that look like Latin ones', 'anna@xn--0xaaf.example'],
  ['Latin and Cyrillic letters', 'anna@xn--pple-43d.com'],
  ['no valid encoding', 'anna@xn--a.example'],
])('leaves a domain with %s in ASCII', (_, email) => expect(toReadableEmail(email)).toBe(email));
