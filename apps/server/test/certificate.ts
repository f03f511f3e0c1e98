import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate and its private key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** What a certificate is for. */
interface CertificateOptions {
  readonly host?: string;
  /** IPv4 addresses. */
  readonly addresses?: readonly string[];
  /** Milliseconds from now. */
  readonly from?: number;
  readonly to?: number;
}

const HOUR = 3_600_000;

/** Creates a certificate, by default one that is valid for a day, as X.509 v3 in DER (RFC 5280). */
export function selfSigned({
  host = 'localhost',
  addresses = ['127.0.0.1'],
  from = -HOUR,
  to = 24 * HOUR,
}: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(1, 2, 840, 10_045, 4, 3, 2));
  const serial = randomBytes(15);
  // Of several trusted certificates with the same subject, OpenSSL tries only one.
  const subject = `${host} ${serial.toString('hex')}`;
  const name = sequence(tag(0x31, sequence(oid(2, 5, 4, 3), tag(0x0c, Buffer.from(subject)))));
  const now = Date.now();
  const toBeSigned = sequence(
    tag(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), serial])),
    algorithm,
    name,
    sequence(time(now + from), time(now + to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(subjectNames(host, addresses))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, algorithm, tag(0x03, Buffer.from([0]), signature));
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function subjectNames(host: string, addresses: readonly string[]): Buffer {
  const names = sequence(
    tag(0x82, Buffer.from(host)),
    ...addresses.map((address) => tag(0x87, Buffer.from(address.split('.').map(Number)))),
  );
  return sequence(oid(2, 5, 29, 17), tag(0x04, names));
}

function sequence(...parts: Buffer[]): Buffer {
  return tag(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return tag(0x02, bytes);
}

function time(moment: number): Buffer {
  const digits = new Date(moment).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tag(0x18, Buffer.from(digits));
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tag(0x06, Buffer.from(bytes));
}

function tag(type: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([type, ...length]), body]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
