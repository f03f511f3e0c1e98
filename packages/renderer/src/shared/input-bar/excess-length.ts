import { cleanText, codePoints, LIMITS } from '@parley/contract';

/** By how many characters a text is too long for one message; 0 if it is not. */
export function excessLength(text: string): number {
  // Counting a text costs something with every key; one that is short enough as it is needs none.
  if (text.length <= LIMITS.messageMax) return 0;
  return Math.max(0, codePoints(cleanText(text)) - LIMITS.messageMax);
}
