import { argon2 } from 'node:crypto';

/** The options that the package `argon2` passes to its native module. */
interface HashRequest {
  readonly password: Buffer;
  readonly salt: Buffer;
  readonly secret: Buffer;
  readonly data: Buffer;
  /** In bytes. */
  readonly hashLength: number;
  /** Memory cost in KiB. */
  readonly m: number;
  readonly t: number;
  readonly p: number;
  readonly version: number;
  /** Index of the algorithm. */
  readonly type: number;
}

const ALGORITHMS = ['argon2d', 'argon2i', 'argon2id'] as const;
const VERSION = 0x13;

/**
 * Replaces the native module of `argon2` in the single binary with Node's own Argon2, which returns the
 * same results, needs no native file, and is available on every platform.
 */
export function hash(request: HashRequest): Promise<Buffer> {
  const algorithm = ALGORITHMS[request.type];
  if (algorithm === undefined || request.version !== VERSION) {
    return Promise.reject(new RangeError('This version of Argon2 is not supported.'));
  }
  const { password, salt, secret, data, hashLength, m, t, p } = request;
  const parameters = {
    message: password,
    nonce: salt,
    parallelism: p,
    tagLength: hashLength,
    memory: m,
    passes: t,
    ...(secret.length > 0 && { secret }),
    ...(data.length > 0 && { associatedData: data }),
  };
  return new Promise((resolve, reject) => {
    argon2(algorithm, parameters, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
