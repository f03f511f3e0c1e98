import { EMOJI_SETS, type EmojiSet } from '@parley/contract';
import { readEmojiPack, type EmojiPack } from './emoji-pack.ts';

/** Finds the picture of an emoji in a set: an SVG, compressed by gzip. */
export type EmojiPictures = (set: EmojiSet, code: string) => Buffer | undefined;

/** Name of the file that the build makes of a set. */
export function packName(set: EmojiSet): string {
  return `emoji-${set}.pack`;
}

/**
 * Opens the sets that the build made. Each is read when its first picture is asked for, as most
 * servers never need them; `readPack` returns undefined where a build made none.
 */
export function openEmojiPictures(readPack: (name: string) => Buffer | undefined): EmojiPictures {
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
