/**
 * A prefix code of DEFLATE: the code of each symbol, with bits in transmission order, and its
 * length.
 */
export interface PrefixCode {
  readonly codes: readonly number[];
  readonly lengths: readonly number[];
}

interface Tree {
  readonly frequency: number;
  readonly symbols: readonly number[];
}

/**
 * Creates a Huffman code in the canonical form of RFC 1951 §3.2.2 for symbols with the given
 * frequencies. There must be at least two symbols.
 */
export function createPrefixCode(frequencies: readonly number[]): PrefixCode {
  return createCanonicalCode(computeCodeLengths(frequencies));
}

function computeCodeLengths(frequencies: readonly number[]): number[] {
  const lengths = frequencies.map(() => 0);
  // Sorted by descending frequency.
  const trees: Tree[] = frequencies
    .map((frequency, symbol) => ({ frequency, symbols: [symbol] }))
    .toSorted((a, b) => b.frequency - a.frequency);
  for (;;) {
    const [a, b] = [trees.pop(), trees.pop()];
    if (a === undefined || b === undefined) return lengths;
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    const frequency = a.frequency + b.frequency;
    trees.splice(trees.findLastIndex((tree) => tree.frequency > frequency) + 1, 0, {
      frequency,
      symbols,
    });
  }
}

function createCanonicalCode(lengths: number[]): PrefixCode {
  const codes = lengths.map(() => 0);
  let nextCode = 0;
  for (let length = 1; length <= Math.max(...lengths); length += 1) {
    nextCode *= 2;
    for (const [symbol, symbolLength] of lengths.entries()) {
      if (symbolLength !== length) continue;
      codes[symbol] = reverseBits(nextCode, length);
      nextCode += 1;
    }
  }
  return { codes, lengths };
}

/**
 * Reverses the bits of a code. DEFLATE stores codes starting with the most significant bit, and
 * everything else starting with the least significant bit.
 */
function reverseBits(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}
