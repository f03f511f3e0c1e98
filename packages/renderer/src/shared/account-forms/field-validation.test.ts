import { beforeAll, describe, expect, test } from 'vitest';
import { createInstance, type TFunction } from 'i18next';
import {
  validateEmail,
  validateKey,
  validatePassword,
  validateUsername,
} from './field-validation.ts';

let t: TFunction;

beforeAll(async () => {
  const instance = createInstance();
  t = await instance.init({ lng: 'cimode' });
});

describe('the validation of fields', () => {
  test.each([
    ['', 'field.emailRequired'],
    ['  ', 'field.emailRequired'],
    ['ada', 'field.emailInvalid'],
    ['ada@home', 'field.emailInvalid'],
    [' Ada@Example.org ', undefined],
  ])('returns for the email "%s" the error %s', (value, error) => {
    expect(validateEmail(t, value)).toBe(error);
  });

  test.each([
    ['', 'field.passwordRequired'],
    ['12345', 'field.passwordShort'],
    ['123   ', 'field.passwordShort'],
    ['123456', undefined],
    ['🙂🙂🙂🙂🙂🙂', undefined],
    ['x'.repeat(257), 'field.passwordLong'],
  ])('returns for the password "%s" the error %s', (value, error) => {
    expect(validatePassword(t, value)).toBe(error);
  });

  test.each([
    ['', 'field.usernameRequired'],
    [' a ', 'field.usernameLength'],
    ['a'.repeat(21), 'field.usernameLength'],
    ['two words', 'field.usernameCharacters'],
    ['DeletedUser', 'field.usernameReserved'],
    ['Zoë_1', undefined],
    ['Ян', undefined],
  ])('returns for the username "%s" the error %s', (value, error) => {
    expect(validateUsername(t, value)).toBe(error);
  });

  test.each([
    ['', 'field.keyRequired'],
    ['12345', 'field.keyLength'],
    [' 123456 ', undefined],
    ['１２３４５６', undefined],
    ['\u200E١٢٣٤٥٦', undefined],
    ['１２３４５', 'field.keyLength'],
  ])('returns for the key "%s" the error %s', (value, error) => {
    expect(validateKey(t, value, 6)).toBe(error);
  });
});
