import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createBrowserKeys, decryptPush, pushSubscription } from '../../test/push-subscription.ts';
import { areUsableKeys, encryptPush, PUSH_MESSAGE_MAX } from './push-encryption.ts';

// RFC 8291, section 5 and appendix A.
const PLAINTEXT = 'When I grow up, I want to be a watermelon';
const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg';
const USER_PRIVATE = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94';
const USER_PUBLIC =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const SENDER_PRIVATE = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
const SALT = 'DGv6ra1nlYgDCS1FRnbzlw';
const ENCRYPTED =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tl' +
  'zAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';

function ecdhOf(privateKey: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return ecdh;
}

test('encrypts the example of RFC 8291 as the RFC does', () => {
  const message = Buffer.from(PLAINTEXT);
  const ephemeral = { ecdh: ecdhOf(SENDER_PRIVATE), salt: Buffer.from(SALT, 'base64url') };
  const keys = { p256dh: USER_PUBLIC, auth: AUTH };
  const encrypted = encryptPush(message, keys, message.length, ephemeral);
  expect(encrypted.toString('base64url')).toBe(ENCRYPTED);
});

test('the browser of the tests decrypts the example of RFC 8291', () => {
  const keys = { ecdh: ecdhOf(USER_PRIVATE), auth: Buffer.from(AUTH, 'base64url') };
  expect(decryptPush(Buffer.from(ENCRYPTED, 'base64url'), keys).toString()).toBe(PLAINTEXT);
});

test('any message arrives as it was, and all have the same size', () => {
  const browser = createBrowserKeys();
  const { keys } = pushSubscription('', browser);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: PUSH_MESSAGE_MAX }), (bytes) => {
      const encrypted = encryptPush(Buffer.from(bytes), keys);
      expect(encrypted).toHaveLength(4_096);
      expect(decryptPush(encrypted, browser)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 30 },
  );
});

test('refuses a message that push services need not accept', () => {
  const { keys } = pushSubscription();
  expect(() => encryptPush(Buffer.alloc(PUSH_MESSAGE_MAX + 1), keys)).toThrow('too long');
});

test('only points of the curve with a secret of 16 bytes are usable', () => {
  const { keys } = pushSubscription();
  expect(areUsableKeys(keys)).toBe(true);
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  expect(areUsableKeys({ ...keys, p256dh: offCurve })).toBe(false);
  expect(areUsableKeys({ ...keys, p256dh: '' })).toBe(false);
  expect(areUsableKeys({ ...keys, auth: 'AAAA' })).toBe(false);
});
