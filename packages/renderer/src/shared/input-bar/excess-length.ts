import { cleanText, codePoints, LIMITS } from '@parley/contract';

/** Returns by how many characters a text is too long for one message; 0 if it fits. */
export function excessLength(text: string): number {
  // Avoids counting code points on each key press if the text is short enough.
  if (text.length <= LIMITS.messageMax) return 0;
  return Math.max(0, codePoints(cleanText(text)) - LIMITS.messageMax);
}
