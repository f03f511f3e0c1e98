import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { EmojiSet } from '@parley/contract';
import { writeEmojiPack } from '../src/emoji/emoji-pack.ts';

const require = createRequire(import.meta.url);

/** The package that contains the images of each set. */
const PACKAGES: Record<EmojiSet, string> = {
  twitter: '@iconify-json/twemoji',
  google: '@iconify-json/noto',
};

interface Icon {
  body: string;
  width?: number;
  height?: number;
}

interface IconSet {
  icons: Record<string, Icon>;
  aliases?: Record<string, { parent: string }>;
  width: number;
  height: number;
}

/**
 * Creates the archive of a set: a compressed SVG for each emoji code. Codes omit the variation
 * selector fe0f.
 */
export function buildEmojiPack(set: EmojiSet): Buffer {
  const images = new Map<string, Buffer>();
  // Noto's package has no country flags, which Windows draws as letters; Twemoji fills the gaps.
  for (const source of new Set([PACKAGES[set], PACKAGES.twitter])) {
    const names = readJson(`${source}/chars.json`) as Record<string, string>;
    const icons = readJson(`${source}/icons.json`) as IconSet;
    for (const [code, name] of Object.entries(names)) {
      if (images.has(code)) continue;
      // A thread for each of thousands of small files takes longer than to compress it.
      images.set(code, gzipSync(drawIcon(icons, name), { level: 9 }));
    }
  }
  return writeEmojiPack(images);
}

function drawIcon(set: IconSet, name: string): string {
  const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ''];
  if (icon === undefined) throw new Error(`There is no image ${name}`);
  const { body, width = set.width, height = set.height } = icon;
  const names = body.includes('xlink:') ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg"${names} viewBox="0 0 ${width} ${height}">${body}</svg>`;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(require.resolve(path), 'utf8'));
}
