import { gunzipSync } from 'node:zlib';
import { EMOJI_SETS, emojiCode, emojiPath } from '@parley/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildEmojiPack } from '../../scripts/emoji-packs.ts';
import { startServer } from '../../test/harness.ts';
import { openEmojiPictures, packName, type EmojiPictures } from './emoji-pictures.ts';

describe.each(EMOJI_SETS)('the %s set', (set) => {
  let pictures: EmojiPictures;
  let reads: string[];

  beforeAll(async () => {
    const pack = await buildEmojiPack(set);
    reads = [];
    pictures = openEmojiPictures((name) => {
      reads.push(name);
      return pack;
    });
    // In a build it costs what it weighs, in the single binary as well.
    expect(pack.length).toBeLessThan(10_000_000);
  });

  test.each(['😀', '❤️', '3️⃣', '🇩🇪', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🏴‍☠️', '🫠', '👁️‍🗨️'])('has %s', (emoji) => {
    const gzip = pictures(set, emojiCode(emoji));
    const svg = gunzipSync(gzip ?? Buffer.alloc(0)).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*>.*<\/svg>$/s);
    expect(svg).not.toMatch(/<script|href="(?!#)|url\((?!#)/);
  });

  test('is read once, when it is first needed, and knows no other code', () => {
    expect(pictures(set, 'ffff')).toBeUndefined();
    expect(reads).toEqual([packName(set)]);
  });
});

test('a picture that is not there is 404, and what is no code 400', async () => {
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
