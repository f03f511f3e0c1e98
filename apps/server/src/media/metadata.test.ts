import { basename } from 'node:path';
import { inflateSync } from 'node:zlib';
import { hasMark, MARKED_FORMATS, markedPicture, type MarkedFormat } from '@parley/testing';
import { casesOf } from '@parley/testing/scope';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/harness.ts';
import { readStoredFile } from '../../test/stored-media.ts';
import { upload } from '../../test/uploading.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Returns a file and the data embedded in it: color profiles of PNGs and images in SVGs. */
function layers(file: Buffer): Buffer[] {
  const found = [file];
  const profile = file.indexOf('iCCP', 0, 'latin1');
  if (file.readUInt32BE(0) === 0x89504e47 && profile !== -1) {
    const end = profile + 4 + file.readUInt32BE(profile - 4);
    const name = file.indexOf(0, profile + 4);
    found.push(inflateSync(file.subarray(name + 2, end)));
  }
  for (const [, data = ''] of file.toString('latin1').matchAll(/;base64,([\w+/=]+)/g)) {
    found.push(...layers(Buffer.from(data, 'base64')));
  }
  return found;
}

test.each(MARKED_FORMATS)('removes all metadata of a random .%s upload', async (format) => {
  // A user may have at most a hundred uploads that were never sent.
  const user = await server.signIn(`user-${format}`);
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const file = markedPicture(format, seed);
      const { status, body } = await upload(user, 'image', file);
      expect({ seed, status, body }).toMatchObject({ status: 201 });
      const name = basename(body.url);
      expect(name).toMatch(new RegExp(`\\.${format === 'bmp' ? 'png' : format}$`));
      const stored = (await readStoredFile(server, name)) ?? Buffer.alloc(0);
      for (const layer of layers(stored))
        expect({ seed, isMarked: hasMark(layer) }).toEqual({ seed, isMarked: false });
    }),
    { numRuns: casesOf(80) },
  );
});

test('generates random images with marks, including nested images', () => {
  const counts = MARKED_FORMATS.map((format: MarkedFormat) => {
    const files = Array.from({ length: 50 }, (_, seed) => markedPicture(format, seed));
    return files.filter((file) => layers(file).some(hasMark)).length;
  });
  expect(counts.every((count) => count > 40)).toBe(true);
});
