import { beforeAll, describe, expect, test } from 'vitest';
import { createInstance, type TFunction } from 'i18next';
import { emailProblem, keyProblem, passwordProblem, usernameProblem } from './field-checks.ts';

let t: TFunction;

beforeAll(async () => {
  const instance = createInstance();
  t = await instance.init({ lng: 'cimode' });
});

describe('a field says what is wrong with it', () => {
  test.each([
    ['', 'field.emailRequired'],
    ['  ', 'field.emailRequired'],
    ['ada', 'field.emailInvalid'],
    ['ada@home', 'field.emailInvalid'],
    [' Ada@Example.org ', undefined],
  ])('email "%s": %s', (value, problem) => {
    expect(emailProblem(t, value)).toBe(problem);
  });

  test.each([
    ['', 'field.passwordRequired'],
    ['12345', 'field.passwordShort'],
    ['123   ', 'field.passwordShort'],
    ['123456', undefined],
    ['🙂🙂🙂🙂🙂🙂', undefined],
    ['x'.repeat(257), 'field.passwordLong'],
  ])('password "%s": %s', (value, problem) => {
    expect(passwordProblem(t, value)).toBe(problem);
  });

  test.each([
    ['', 'field.usernameRequired'],
    [' a ', 'field.usernameLength'],
    ['a'.repeat(21), 'field.usernameLength'],
    ['two words', 'field.usernameCharacters'],
    ['DeletedUser', 'field.usernameReserved'],
    ['Zoë_1', undefined],
    ['Ян', undefined],
  ])('username "%s": %s', (value, problem) => {
    expect(usernameProblem(t, value)).toBe(problem);
  });

  test.each([
    ['', 'field.keyRequired'],
    ['12345', 'field.keyLength'],
    [' 123456 ', undefined],
  ])('key "%s": %s', (value, problem) => {
    expect(keyProblem(t, value, 6)).toBe(problem);
  });
});
