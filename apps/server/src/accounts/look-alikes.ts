import { usernameKey } from '@parley/contract';
import data from './confusables.json' with { type: 'json' };

// Skeletons of UTS #39, section 4: two names that look alike have the same one.

/** Version of Unicode that skeletons are made with; those of another version are made anew. */
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

/**
 * The skeletons of a username, one or two: as it is typed, where a capital I looks like an l, and as
 * names are compared, without regard to case. Names that share one look alike.
 */
export function usernameSkeletons(username: string): string[] {
  const key = usernameKey(username);
  return [
    ...new Set([computeSkeleton(username).toLowerCase(), computeSkeleton(key).toLowerCase()]),
  ];
}
