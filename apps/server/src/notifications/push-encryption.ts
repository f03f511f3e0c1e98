import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';

// With `node:crypto` instead of a library, because the ones that follow the RFCs accept neither keys
// and salt, without which the vectors of RFC 8291 cannot be tested, nor the endpoints with http that
// an operator may allow on the own network.

/** The keys of a subscription in base64url, with which only its browser decrypts. */
export interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** What makes each message different. Created at random, except in tests. */
interface Ephemeral {
  readonly ecdh: ECDH;
  readonly salt: Buffer;
}

const CURVE = 'prime256v1';
const RECORD_SIZE = 4_096;
const KEY_LENGTH = 65;
/** Salt, record size, and the length of the key and the key (RFC 8188). */
const HEADER_LENGTH = 16 + 4 + 1 + KEY_LENGTH;
const TAG_LENGTH = 16;

/**
 * Maximum bytes of a message. Push services need not accept more than 4,096 bytes, which include the
 * header, a delimiter and the tag.
 */
export const PUSH_MESSAGE_MAX = RECORD_SIZE - HEADER_LENGTH - 1 - TAG_LENGTH;

/**
 * Encrypts a message for a subscription (RFC 8291, aes128gcm). It is padded to `length`, so that its
 * size says nothing about its content.
 * @throws if the message is too long or the keys are no valid ones.
 */
export function encryptPush(
  message: Buffer,
  keys: SubscriptionKeys,
  length = PUSH_MESSAGE_MAX,
  { ecdh, salt }: Ephemeral = createEphemeral(),
): Buffer {
  if (message.length > length || length > PUSH_MESSAGE_MAX)
    throw new Error('the message is too long');
  const userKey = Buffer.from(keys.p256dh, 'base64url');
  const ownKey = ecdh.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), userKey, ownKey]);
  const authSecret = Buffer.from(keys.auth, 'base64url');
  const secret = derive(ecdh.computeSecret(userKey), authSecret, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const header = Buffer.alloc(HEADER_LENGTH);
  salt.copy(header);
  header.writeUInt32BE(RECORD_SIZE, 16);
  header.writeUInt8(KEY_LENGTH, 20);
  ownKey.copy(header, 21);
  // The delimiter of the last record, then zeros.
  const padding = Buffer.alloc(length - message.length + 1);
  padding.writeUInt8(2);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const encrypted = [cipher.update(message), cipher.update(padding), cipher.final()];
  return Buffer.concat([header, ...encrypted, cipher.getAuthTag()]);
}

/** Returns whether messages can be encrypted with keys: the public one is a point of the curve. */
export function areUsableKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  try {
    createEphemeral().ecdh.computeSecret(Buffer.from(p256dh, 'base64url'));
    return Buffer.from(auth, 'base64url').length === 16;
  } catch {
    return false;
  }
}

function createEphemeral(): Ephemeral {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  return { ecdh, salt: randomBytes(16) };
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
