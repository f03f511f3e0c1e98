import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { pngChunk } from '@parley/testing';
import {
  bmpOfSize,
  gifOfBlocks,
  gifOfFrames,
  jpegOfScans,
  pngOfSize,
  webpOfFrames,
} from '../expensive-images.ts';
import { nestedUses, svgOf } from '../expensive-svgs.ts';
import { createTestClient } from '../harness.ts';
import { upload } from '../uploading.ts';
import { defineAttack } from './attack.ts';

const ATTACKERS = 5;

/** An ancillary chunk, which decoders may ignore. */
const EMPTY_CHUNK = pngChunk('abCd', Buffer.alloc(0));

/** Returns images that are expensive for browsers to draw or for the server to read. */
function createImages(): Buffer[] {
  const elements = '<g opacity=".9"><rect width="1" height="1" style="fill:red"/></g>';
  return [
    Buffer.from(nestedUses()),
    Buffer.from(nestedUses(2, 90)),
    Buffer.from(
      svgOf(
        `<rect id="a" width="1" height="1" transform="${'scale(1)'.repeat(12_000)}"/>${'<use href="#a"/>'.repeat(199)}`,
      ),
    ),
    Buffer.from(svgOf(`<path marker-mid="url(#m)" d="M0 0${'h1'.repeat(90_000)}"/>`)),
    Buffer.from(svgOf(elements.repeat(9_900))),
    Buffer.from(svgOf(`<path d="M0 0${'l1 1'.repeat(240_000)}"/>`)),
    Buffer.from(
      svgOf(`<style>${'* g rect{fill:red}'.repeat(1_900)}</style>${elements.repeat(100)}`),
    ),
    gifOfBlocks(4_500_000),
    pngOfSize(60_000, 60_000),
    pngOfSize(10, 10, { chunks: Array.from({ length: 230_000 }, () => EMPTY_CHUNK) }),
    // One byte more than its rows, so that they are compressed again.
    pngOfSize(4_000, 4_000, {
      bits: 8,
      isColored: true,
      data: deflateSync(Buffer.alloc(4_000 * 16_001 + 1)),
    }),
    bmpOfSize(3_200, 3_200, 'four colors'),
    gifOfFrames(10_000, 10_000, 100, 10),
    webpOfFrames(16_000, 16_000, 100, 10),
    jpegOfScans(60_000, 60_000, 1_000),
  ];
}

/** Uploads hostile images continuously. */
export const hostileImages = defineAttack({
  summary: '5 accounts upload images that expand to gigabytes or take long to read',
  async prepare(server) {
    const cookies = [];
    for (let i = 0; i < ATTACKERS; i += 1) {
      cookies.push((await server.signIn(`Painter${i}`)).cookie);
    }
    return { cookies };
  },
  async run({ url, prepared, signal }) {
    const pictures = createImages();
    let accepted = 0;
    let tooComplex = 0;
    let refused = 0;
    await Promise.all(
      prepared.cookies.map(async (cookie) => {
        const client = createTestClient(url, cookie);
        for (let i = 0; !signal.aborted; i += 1) {
          const picture = pictures[i % pictures.length] ?? Buffer.alloc(0);
          const { status } = await upload(client, 'image', picture);
          if (status === 201) accepted += 1;
          else if (status === 413) tooComplex += 1;
          else refused += 1;
          // Retries soon after a rate limit.
          if (status === 429) await sleep(50);
        }
      }),
    );
    return { accepted, tooComplex, refused };
  },
});
