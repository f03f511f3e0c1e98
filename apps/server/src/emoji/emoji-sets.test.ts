import { gunzipSync } from 'node:zlib';
import { EMOJI_SETS, emojiCode, emojiPath } from '@parley/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildEmojiPack } from '../../scripts/emoji-packs.ts';
import { startServer } from '../../test/harness.ts';
import { openEmojiImages, packName, type EmojiImages } from './emoji-images.ts';

describe.each(EMOJI_SETS)('the %s set', (set) => {
  let images: EmojiImages;
  let reads: string[];

  beforeAll(() => {
    const pack = buildEmojiPack(set);
    reads = [];
    images = openEmojiImages((name) => {
      reads.push(name);
      return pack;
    });
    // Every build and the single binary contain the pack.
    expect(pack.length).toBeLessThan(10_000_000);
  });

  test.each(['😀', '❤️', '3️⃣', '🇩🇪', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🏴‍☠️', '🫠', '👁️‍🗨️'])(
    'contains %s',
    (emoji) => {
      const gzip = images(set, emojiCode(emoji));
      const svg = gunzipSync(gzip ?? Buffer.alloc(0)).toString();
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/s);
      expect(svg).not.toMatch(/<script|href="(?!#)|url\((?!#)/);
    },
  );

  test('is read once, at its first use, and returns undefined for unknown codes', () => {
    expect(images(set, 'ffff')).toBeUndefined();
    expect(reads).toEqual([packName(set)]);
  });
});

test('responds with 404 to an unknown emoji and with 400 to an invalid code', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const status = async (path: string) => (await server.client().request('GET', path)).status;
  expect(await status(emojiPath('twitter', 'ffff'))).toBe(404);
  for (const path of [
    '/api/emoji/apple/1f600.svg',
    '/api/emoji/twitter/1F600.svg',
    '/api/emoji/twitter/1f600',
    '/api/emoji/twitter/..%2Fweb.pack',
    `/api/emoji/twitter/${'1f600-'.repeat(20)}1f600.svg`,
  ]) {
    expect(await status(path), path).toBe(400);
  }
});
