import argon2 from 'argon2';
import { expect, test } from 'vitest';
import { hash } from './argon2-binding.ts';

const PARAMETERS = { memoryCost: 1024, timeCost: 2, parallelism: 1, hashLength: 32 };

test.each([
  [argon2.argon2d, '', ''],
  [argon2.argon2i, 'pepper', ''],
  [argon2.argon2id, '', 'somebody'],
  [argon2.argon2id, 'pepper', 'somebody'],
] as const)(
  'returns the same hash as the native module: type %s, secret %j, data %j',
  async (type, secret, data) => {
    const salt = Buffer.alloc(16, 7);
    const options = {
      ...PARAMETERS,
      type,
      salt,
      raw: true,
      ...(secret !== '' && { secret: Buffer.from(secret) }),
      ...(data !== '' && { associatedData: Buffer.from(data) }),
    } as const;
    const native = await argon2.hash('correct horse', options);
    const own = await hash({
      password: Buffer.from('correct horse'),
      salt,
      secret: Buffer.from(secret),
      data: Buffer.from(data),
      hashLength: 32,
      m: 1024,
      t: 2,
      p: 1,
      version: 0x13,
      type,
    });
    expect(own).toEqual(native);
  },
);

test('rejects an unsupported version of Argon2', async () => {
  const empty = Buffer.alloc(0);
  const request = { password: empty, salt: Buffer.alloc(16), secret: empty, data: empty };
  const rest = { hashLength: 32, m: 1024, t: 2, p: 1, type: 2 };
  await expect(hash({ ...request, ...rest, version: 0x10 })).rejects.toThrow(RangeError);
});
