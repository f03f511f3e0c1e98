import { usernameKey } from '@parley/contract';
import data from './confusables.json' with { type: 'json' };

// Skeletons according to UTS #39, section 4. Names that look alike have the same skeleton.

/** Unicode version of the skeletons. Skeletons of other versions are recomputed. */
export const SKELETON_VERSION = data.unicode;

let prototypes: ReadonlyMap<string, string> | undefined;

function computeSkeleton(name: string): string {
  prototypes ??= new Map(
    Object.entries(data.prototypes).flatMap(([prototype, characters]) =>
      Array.from(characters, (character) => [character, prototype] as const),
    ),
  );
  const known = prototypes;
  return Array.from(name.normalize('NFKD'), (character) => known.get(character) ?? character)
    .join('')
    .normalize('NFD');
}

/** Returns the skeleton of a username as typed, where a capital I looks like an l. */
export function skeletonAsTyped(username: string): string {
  return computeSkeleton(username).toLowerCase();
}

/** Returns the skeleton of a case-folded username. */
export function foldedSkeleton(username: string): string {
  return skeletonAsTyped(usernameKey(username));
}

/** Returns the one or two skeletons of a username. Usernames that share a skeleton look alike. */
export function usernameSkeletons(username: string): string[] {
  return [...new Set([skeletonAsTyped(username), foldedSkeleton(username)])];
}
