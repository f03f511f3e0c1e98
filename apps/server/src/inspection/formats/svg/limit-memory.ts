/** Bytes of a WebAssembly page. */
const PAGE = 65_536;

/** The section that declares a module's memory. */
const MEMORY_SECTION = 5;

const HEADER_LENGTH = 8;

/**
 * Returns a WebAssembly module whose memory cannot grow beyond `max` bytes, so that what it computes
 * fails instead. Its own limit, if any, is replaced.
 * @throws {Error} if the module does not declare exactly one memory of 32-bit addresses.
 * @see https://webassembly.github.io/spec/core/binary/modules.html
 */
export function limitMemory(module: Buffer, max: number): Buffer<ArrayBuffer> {
  let at = HEADER_LENGTH;
  while (at < module.length) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    at = size.end + size.value;
    if (id !== MEMORY_SECTION) continue;

    const count = readNumber(module, size.end);
    const flags = readNumber(module, count.end);
    if (count.value !== 1 || flags.value > 1) throw new Error('an unexpected kind of memory');
    const initial = readNumber(module, flags.end);
    const hasMaximum = 1;
    const content = [
      1,
      hasMaximum,
      ...toNumber(initial.value),
      ...toNumber(Math.floor(max / PAGE)),
    ];
    const section = Buffer.from([MEMORY_SECTION, ...toNumber(content.length), ...content]);
    return Buffer.concat([module.subarray(0, start), section, module.subarray(at)]);
  }
  throw new Error('the module has no memory');
}

/** Reads an unsigned number in LEB128. */
function readNumber(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) break;
    at += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at };
  }
  throw new Error('not a WebAssembly module');
}

/** Returns an unsigned number in LEB128. */
function toNumber(value: number): number[] {
  if (value < 0x80) return [value];
  return [(value % 0x80) | 0x80, ...toNumber(Math.floor(value / 0x80))];
}
