import { RESERVED_USERNAMES } from '@parley/contract';
import { usernameSkeletons } from './look-alikes.ts';

/** Returns whether a username looks like a reserved one or the operator's name, whatever its punctuation. */
export function looksReserved(username: string, operatorName = ''): boolean {
  const reserved = new Set([...RESERVED_USERNAMES, operatorName].flatMap(skeletonsOf));
  return skeletonsOf(username).some((skeleton) => reserved.has(skeleton));
}

function skeletonsOf(name: string): string[] {
  return usernameSkeletons(name.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''));
}
