import { describe, expect, test } from 'vitest';
import {
  isEmail,
  isUsername,
  normalizeEmail,
  normalizeUsername,
  readableEmail,
  usernameKey,
} from './names.ts';

describe('usernames', () => {
  test.each(['Al', 'jürgen', 'Ольга', '山田', 'a.b_c-d', 'नेहा', '٣٤', 'x'.repeat(20), '𝒶𝒷'])(
    '%s may be registered',
    (name) => expect(isUsername(normalizeUsername(name))).toBe(true),
  );

  test.each([
    ['one character', 'a'],
    ['21 characters', 'x'.repeat(21)],
    ['a space', 'a b'],
    ['a line break', 'a\nb'],
    ['a bidirectional control character', 'ab\u202ecd'],
    ['a zero-width character', 'ab\u200b'],
    ['only invisible characters', '\u3164\u3164'],
    ['an invisible letter', 'alice\u115f'],
    ['an invisible mark', 'alice\ufe0f'],
    ['an invisible hieroglyph', 'alice\u{13441}'],
    ['only punctuation', '._-'],
    ['markup', '<b>'],
    ['a name for the operator', 'Admin'],
    ['a name for help', 'SUPPORT'],
    ['the name of the product', 'Parley'],
    ['the placeholder of a new chatroom', 'new-chatroom'],
    ['the reserved name', 'deletedUser'],
    ['the reserved name in another case', 'DELETEDUSER'],
    ['the reserved name in fullwidth letters', 'ｄｅｌｅｔｅｄＵｓｅｒ'],
  ])('%s may not be registered', (_, name) =>
    expect(isUsername(normalizeUsername(name))).toBe(false),
  );

  test('have the same key in another case, width or composition', () => {
    expect(usernameKey('JÜRGEN')).toBe(usernameKey('ju\u0308rgen'));
    expect(usernameKey(' Ａｌｉｃｅ ')).toBe(usernameKey('alice'));
    expect(usernameKey('alice')).not.toBe(usernameKey('alicia'));
  });
});

describe('an email address', () => {
  test.each(['a@b.de', 'first.last+tag@sub.example.org', 'jürgen@bücher.example'])(
    '%s is valid',
    (email) => expect(isEmail(normalizeEmail(` ${email.toUpperCase()} `))).toBe(true),
  );

  test.each([
    '',
    'a',
    'a@b',
    '@example.org',
    'a@@example.org',
    'a b@example.org',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: c@example.org',
    '<a@example.org>',
    'a\u202Egro.elpmaxe@example.org',
    `${'a'.repeat(250)}@example.org`,
    'a@bü_\u200dcher .example',
    'a@-ü.example/x',
  ])('%j is invalid', (email) => expect(isEmail(normalizeEmail(email))).toBe(false));

  test.each([
    ['its domain in Unicode', 'a@Bücher.example'],
    ['its domain in Unicode, decomposed', 'a@bu\u0308cher.example'],
    ['its domain in ASCII', 'a@XN--bcher-kva.example'],
    ['a fullwidth dot', 'a@bücher．example'],
    ['the dot of the root', 'a@bücher.example.'],
    ['an ideographic dot of the root', 'a@bücher.example。'],
    ['a soft hyphen', 'a@bü\u00adcher.example'],
  ])('has one form with %s', (_, email) =>
    expect(normalizeEmail(email)).toBe('a@xn--bcher-kva.example'),
  );

  test.each([
    ['a decomposed letter', 'Ju\u0308rgen@example.org', 'jürgen@example.org'],
    [
      'a capital that only has a precomposed small letter',
      'J\u030can@example.org',
      'ǰan@example.org',
    ],
    ['a capital with a dot', 'İ@example.org', 'i\u0307@example.org'],
  ])('has one form with %s in its local part', (_, typed, form) => {
    expect(normalizeEmail(typed)).toBe(form);
    expect(normalizeEmail(readableEmail(typed))).toBe(form);
  });

  test.each([
    ['a@straße.example', 'a@xn--strae-oqa.example'],
    ['a@STRAẞE.example', 'a@xn--strae-oqa.example'],
    ['a@βόλος.example', 'a@xn--nxasmm1c.example'],
    ['ΝΙΚΟΣ@ΟΔΟΣ-ΑΘΗΝΑ.GR', 'νικος@xn----zlbajrf0bkb4b.gr'],
    ['a@ΟΔΟΣ.example', 'a@xn--pxavbq.example'],
    ['a@xn--.example', 'a@xn--.example'],
    ['a@EXAMPLE.org.', 'a@example.org'],
  ])('has the domain of the standard with %s', (typed, form) => {
    expect(normalizeEmail(typed)).toBe(form);
    expect(normalizeEmail(form)).toBe(form);
    expect(normalizeEmail(readableEmail(typed))).toBe(form);
  });

  test('keeps ASCII domains that programs would read as addresses of the network', () => {
    for (const email of ['a@0x7f.1', 'a@exa%6dple.org']) expect(normalizeEmail(email)).toBe(email);
  });
});
