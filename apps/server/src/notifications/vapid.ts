import { createECDH, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { normalizeEmail } from '@parley/contract';
import { createBoundedCache } from '../bounded-cache.ts';
import { isWithin } from '../scheduling/is-within.ts';
import type { Config } from '../config.ts';

/** Identifies this server to push services (RFC 8292). */
export interface Vapid {
  /** The public key in base64url, to which browsers bind their subscriptions. */
  readonly publicKey: string;
  /** Returns the header `Authorization` for an endpoint. */
  authorize(endpoint: URL): string;
}

/** Order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** Lifetime of a token, in seconds. Push services accept up to 24 hours. */
const LIFETIME = 12 * 60 * 60;
/** How long a token is used again, in milliseconds. */
const REUSE = 60 * 60 * 1000;
/** Number of push services with a token in memory. */
const TOKENS_MAX = 500;

/**
 * Creates the identity of this server from its secret of 32 bytes (hex). `contact` is the URL by which
 * the operators of push services reach that of this server, if it is known.
 */
export function createVapid(secret: string, contact: string | undefined): Vapid {
  const { publicKey, privateKey } = toKeys(secret);
  const tokens = createBoundedCache<string, { token: string; createdAt: number }>(TOKENS_MAX);

  function createToken(audience: string): string {
    const exp = Math.floor(Date.now() / 1000) + LIFETIME;
    const signed = [
      { typ: 'JWT', alg: 'ES256' },
      { aud: audience, exp, ...(contact !== undefined && { sub: contact }) },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  return {
    publicKey,
    authorize({ origin }) {
      let known = tokens.get(origin);
      if (known === undefined || !isWithin(known.createdAt, REUSE, Date.now())) {
        known = { token: createToken(origin), createdAt: Date.now() };
        tokens.set(origin, known);
      }
      return `vapid t=${known.token}, k=${publicKey}`;
    },
  };
}

function toKeys(secret: string): { publicKey: string; privateKey: KeyObject } {
  const ecdh = createECDH('prime256v1');
  // Almost every secret is a valid key as it is. Those that are not become one.
  const number = (BigInt(`0x${secret}`) % (ORDER - 1n)) + 1n;
  ecdh.setPrivateKey(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'));
  const point = ecdh.getPublicKey();
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: ecdh.getPrivateKey().toString('base64url'),
    },
  });
  return { publicKey: point.toString('base64url'), privateKey };
}

/**
 * Returns the contact of the operator, in one of the two forms that RFC 8292 allows. Undefined if none is
 * configured: Apple refuses messages without one, but also those with an invalid one.
 */
export function contactOf({
  operator,
  publicUrl,
}: Pick<Config, 'operator' | 'publicUrl'>): string | undefined {
  if (operator.email !== undefined) return `mailto:${normalizeEmail(operator.email)}`;
  return publicUrl?.startsWith('https:') === true ? publicUrl : undefined;
}
