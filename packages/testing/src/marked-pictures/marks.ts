/** A generator of the random choices and marks of a file. The same seed gives the same file. */
export class Marks {
  #state: number;
  #count = 0;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a random integer from 0 up to but excluding `below`. */
  integer(below: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  /** Returns some of the values in random order. */
  sample<T>(values: readonly T[]): T[] {
    return values
      .filter(() => this.integer(2) === 0)
      .map((value) => ({ value, order: this.integer(1_000_000) }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ value }) => value);
  }

  /** Returns a text that must not remain in a stored file. It is also a valid XML name. */
  text(): string {
    this.#count += 1;
    return `${MARK}-${this.#count}-${this.integer(1_000_000)}`;
  }

  bytes(): Buffer {
    return Buffer.from(this.text(), 'latin1');
  }
}

/** The text that every mark contains. */
export const MARK = 'MARKED';

/** Inserts each part of `inserted` at a random position among `parts`. */
export function insertAtRandom<T>(marks: Marks, parts: readonly T[], inserted: readonly T[]): T[] {
  const all = [...parts];
  for (const part of inserted) all.splice(marks.integer(all.length + 1), 0, part);
  return all;
}

/** Creates an Exif block with marks in its tags, its preview and its gaps. */
export function markedExif(marks: Marks, orientation: number): Buffer {
  const text = Buffer.concat([marks.bytes(), Buffer.alloc(1)]);
  const directory = Buffer.alloc(2 + 3 * 12 + 4);
  directory.writeUInt16LE(3, 0);
  const entries = [
    [0x010f, 2, text.length, 8 + directory.length],
    [0x0112, 3, 1, orientation],
    [0x8298, 2, text.length, 8 + directory.length],
  ] as const;
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + i * 12);
    directory.writeUInt16LE(type, 4 + i * 12);
    directory.writeUInt32LE(count, 6 + i * 12);
    directory.writeUInt32LE(value, 10 + i * 12);
  }
  return Buffer.concat([Buffer.from('49492a0008000000', 'hex'), directory, text, marks.bytes()]);
}

/** Creates an sRGB profile with marks in its header, its texts and after its numbers. */
export function markedProfile(marks: Marks): Buffer {
  const header = Buffer.alloc(128);
  header.write('MARK', 4, 'latin1');
  header.writeUInt32BE(0x04300000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acspAPPL', 36, 'latin1');
  header.write('MARKED-x', 48, 'latin1');
  header.writeUInt32BE(0xf6d6, 68);
  header.writeUInt32BE(0x10000, 72);
  header.writeUInt32BE(0xd32d, 76);
  header.write('MARKED-maker-and-id', 80, 'latin1');
  const xyz = (...values: number[]) => {
    const data = Buffer.alloc(20);
    data.write('XYZ ', 'latin1');
    for (const [i, value] of values.entries()) data.writeInt32BE(value, 8 + i * 4);
    return Buffer.concat([data, marks.bytes()]);
  };
  const curve = Buffer.concat([
    Buffer.from('637572760000000000000001', 'hex'),
    Buffer.from([2, 0x33]),
    marks.bytes(),
  ]);
  const text = () =>
    Buffer.concat([Buffer.from('text\0\0\0\0', 'latin1'), marks.bytes(), Buffer.alloc(1)]);
  // textDescriptionType (ICC.1:2001-04, 6.5.17). Chromium ignores a profile with a malformed one.
  const described = (() => {
    const ascii = Buffer.from(`${marks.text()}\0`, 'latin1');
    const head = Buffer.from('desc\0\0\0\0\0\0\0\0', 'latin1');
    head.writeUInt32BE(ascii.length, 8);
    return Buffer.concat([head, ascii, Buffer.alloc(8 + 3 + 67)]);
  })();
  const wide = Buffer.from(marks.text(), 'utf16le').swap16();
  const named = Buffer.concat([
    Buffer.from('6d6c756300000000000000010000000c656e5553000000000000001c', 'hex'),
    wide,
  ]);
  named.writeUInt32BE(wide.length, 20);
  const tags: [string, Buffer][] = [
    ['desc', named],
    ['cprt', text()],
    ['dmnd', described],
    ['targ', text()],
    ['wtpt', xyz(0xf6d6, 0x10000, 0xd32d)],
    ['rXYZ', xyz(0x6fa2, 0x38f5, 0x390)],
    ['gXYZ', xyz(0x6299, 0xb785, 0x18da)],
    ['bXYZ', xyz(0x24a0, 0xf84, 0xb6cf)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  const body: Buffer[] = [];
  let at = header.length + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    table.write(name, 4 + i * 12, 'latin1');
    table.writeUInt32BE(at, 8 + i * 12);
    table.writeUInt32BE(data.length, 12 + i * 12);
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    body.push(padded);
    at += padded.length;
  }
  header.writeUInt32BE(at);
  return Buffer.concat([header, table, ...body]);
}
