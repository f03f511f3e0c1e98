import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sample } from '../../test/samples.ts';
import { TooComplexMediaError } from './formats/byte-source.ts';
import { createInspector, SERVER_OWNER, type Inspector } from './inspector.ts';

let folder: string;
let inspector: Inspector;
const log = {
  debug: vi.fn<(...args: unknown[]) => void>(),
  error: vi.fn<(...args: unknown[]) => void>(),
};
const opened: number[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-inspector-'));
  vi.clearAllMocks();
});

afterEach(async () => {
  await inspector.close();
  for (const fd of opened.splice(0)) closeSync(fd);
  await rm(folder, { recursive: true, force: true });
});

/** Writes and opens a file to inspect. */
function file(name: string, bytes: Buffer): number {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const fd = openSync(path, 'r');
  opened.push(fd);
  return fd;
}

/** Returns an MP3 of many frames, whose inspection takes long. */
function longMp3(): Buffer {
  const frame = Buffer.alloc(24);
  // MPEG 2.5, layer III, 8 kbit/s, 24 kHz.
  frame.writeUInt32BE(0xfff3_1400);
  return Buffer.alloc(9_000_000, frame);
}

test('inspects many files, and writes what others may receive', async () => {
  inspector = createInspector(log);
  const found = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => {
      const fd = file(name, Buffer.concat([sample('picture.jpg'), Buffer.from('hidden')]));
      const target = join(folder, `${name}.clean`);
      return inspector.inspect([name, ''], { fd, rules: 'upload', target });
    }),
  );
  for (const each of found) {
    expect(each).toMatchObject({ type: { extension: 'jpg' }, width: 24, height: 12 });
    expect(each?.isUnchanged).toBe(false);
  }
  const written = readFileSync(join(folder, 'd.clean'));
  expect(written).toHaveLength(found[3]?.size ?? 0);
  expect(written.includes('hidden')).toBe(false);
});

test('ends a thread that computes too long, and goes on with the next file', async () => {
  inspector = createInspector(log, { cpuMax: 0, timeMax: 60_000, heapMax: 64 });
  const long = { fd: file('long', longMp3()), rules: 'upload' } as const;
  await expect(inspector.inspect(SERVER_OWNER, long)).rejects.toThrow(TooComplexMediaError);
  expect(log.debug).toHaveBeenCalledOnce();
  const short = { fd: file('short', Buffer.from('a text')), rules: 'upload' } as const;
  expect(await inspector.inspect(SERVER_OWNER, short)).toBeUndefined();
});

test('does not blame a file if the thread does not respond in time', async () => {
  // Starting a thread takes longer.
  inspector = createInspector(log, { cpuMax: 500, timeMax: 1, heapMax: 64 });
  const task = { fd: file('picture', sample('picture.jpg')), rules: 'upload' } as const;
  const inspecting = inspector.inspect(SERVER_OWNER, task);
  await expect(inspecting).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.error).toHaveBeenCalledOnce();
});

test('does not blame files for the end of the server', async () => {
  inspector = createInspector(log);
  const task = { fd: file('long', longMp3()), rules: 'stored' } as const;
  const inspecting = Promise.allSettled([1, 2, 3].map(() => inspector.inspect(SERVER_OWNER, task)));
  await inspector.close();
  for (const outcome of await inspecting) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  expect(log.error).not.toHaveBeenCalled();
});

test('reports a file that cannot be written with the code of the system', async () => {
  inspector = createInspector(log);
  const fd = file('picture', sample('picture.jpg'));
  const target = join(folder, 'no such folder/clean');
  const inspecting = inspector.inspect(SERVER_OWNER, { fd, rules: 'upload', target });
  await expect(inspecting).rejects.toMatchObject({ code: 'ENOENT' });
});

test('returns nothing for a file of another format', async () => {
  inspector = createInspector(log);
  const fd = file('text', Buffer.from('Hello, how are you today? I am fine.'));
  expect(await inspector.inspect(SERVER_OWNER, { fd, rules: 'upload' })).toBeUndefined();
});
