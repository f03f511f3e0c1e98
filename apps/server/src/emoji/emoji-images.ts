import { EMOJI_SETS, type EmojiSet } from '@parley/contract';
import { readEmojiPack, type EmojiPack } from './emoji-pack.ts';

/** Finds the image of an emoji in a set, as a gzip-compressed SVG. */
export type EmojiImages = (set: EmojiSet, code: string) => Buffer | undefined;

/** Returns the file name of a set's archive in the build output. */
export function packName(set: EmojiSet): string {
  return `emoji-${set}.pack`;
}

/**
 * Opens the sets in the build output. Each is read when its first image is requested, because most
 * servers never need them. `readPack` returns undefined if the build has no such archive.
 */
export function openEmojiImages(readPack: (name: string) => Buffer | undefined): EmojiImages {
  const packs = new Map<EmojiSet, EmojiPack>();
  return (set, code) => {
    if (!EMOJI_SETS.includes(set)) return undefined;
    let pack = packs.get(set);
    if (pack === undefined) {
      const bytes = readPack(packName(set));
      pack = bytes === undefined ? () => undefined : readEmojiPack(bytes);
      packs.set(set, pack);
    }
    return pack(code);
  };
}
