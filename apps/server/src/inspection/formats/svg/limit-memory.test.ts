import { expect, test } from 'vitest';
import { limitMemory } from './limit-memory.ts';

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** Exports the memory as `m`. */
const EXPORT = [0x07, 0x05, 0x01, 0x01, 0x6d, 0x02, 0x00];
const PAGE = 65_536;

async function memoryOf(module: Buffer): Promise<WebAssembly.Memory> {
  const { instance } = await WebAssembly.instantiate(module);
  return instance.exports['m'] as WebAssembly.Memory;
}

test.each([
  ['no limit', [0x05, 0x03, 0x01, 0x00, 0x02]],
  ['a higher limit', [0x05, 0x06, 0x01, 0x01, 0x02, 0x80, 0x80, 0x04]],
])('limits the memory of a module with %s', async (_, section) => {
  const module = Buffer.from([...MAGIC, ...section, ...EXPORT]);
  const memory = await memoryOf(limitMemory(module, 300 * PAGE));
  expect(memory.buffer.byteLength).toBe(2 * PAGE);
  expect(memory.grow(298)).toBe(2);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test.each([
  ['without memory', [...MAGIC, 0x00, 0x02, 0x01, 0x6d]],
  ['with shared memory', [...MAGIC, 0x05, 0x04, 0x01, 0x03, 0x02, 0x02, ...EXPORT]],
  ['that ends within a number', [...MAGIC, 0x05, 0x80]],
])('rejects a module %s', (_, bytes) => {
  expect(() => limitMemory(Buffer.from(bytes), PAGE)).toThrow(Error);
});
