import type { TextRange } from './schemas/index.ts';

/** Letters that Unicode does not decompose, although readers expect to find them by others. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
// Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic, and characters without
// appearance, such as soft hyphens. Marks of other scripts distinguish words.
const WITHOUT_EFFECT =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\p{Default_Ignorable_Code_Point}\0]/gu;

/** What the characters of a single code unit fold to, by code unit: most texts consist of them alone. */
const foldedUnits = Array.from<string | undefined>({ length: 0x1_0000 });
/** What the other characters fold to. */
const foldedPairs = new Map<string, string>();
/** Texts of one language use few characters. The limit keeps others from filling the memory. */
const PAIRS_MAX = 10_000;

/**
 * Returns a text as it is searched: in lower case, without accents, with spaces as the only white space
 * and without characters that have no appearance. ß becomes ss. The result contains neither null
 * characters nor lone surrogates.
 */
export function foldText(text: string): string {
  if (isPrintableAscii(text)) return text.toLowerCase();
  let result = '';
  for (const character of text) result += foldCharacter(character);
  return result;
}

/** Returns whether a text consists of printable ASCII characters. Folding others takes much longer. */
export function isPrintableAscii(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/**
 * Folds a single character. The characters of a text are folded independently, so that each part of a
 * folded text belongs to a part of the original.
 */
function foldCharacter(character: string): string {
  if (character.length === 1) {
    return (foldedUnits[character.charCodeAt(0)] ??= foldUnknown(character));
  }
  const known = foldedPairs.get(character);
  if (known !== undefined) return known;
  const result = foldUnknown(character);
  if (foldedPairs.size >= PAIRS_MAX) foldedPairs.clear();
  foldedPairs.set(character, result);
  return result;
}

function foldUnknown(character: string): string {
  if (/\s/u.test(character)) return ' ';
  // Databases store a lone surrogate as this character.
  if (/\p{Cs}/u.test(character)) return '\ufffd';
  const decomposed = character.normalize('NFKD').toLowerCase().normalize('NFKD');
  let result = '';
  for (const part of decomposed.replace(WITHOUT_EFFECT, '')) result += LETTERS[part] ?? part;
  // Some characters decompose into a space and a mark.
  return result.replace(/\s/gu, ' ');
}

/** A folded text with the origin of its parts. */
export interface FoldedText {
  readonly folded: string;
  /** Returns the part of the original text that a part of the folded one was made of. */
  readonly originOf: (start: number, end: number) => TextRange;
}

/** Folds a text and keeps where each character comes from. */
export function foldWithOrigin(text: string): FoldedText {
  let result = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  for (const character of text) {
    const part = foldCharacter(character);
    const end = offset + character.length;
    for (let i = 0; i < part.length; i += 1) {
      starts.push(offset);
      ends.push(end);
    }
    // A character that folds to nothing belongs to the one before it, as accents do.
    if (part === '' && ends.length > 0) ends[ends.length - 1] = end;
    result += part;
    offset = end;
  }
  return {
    folded: result,
    originOf: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }),
  };
}
