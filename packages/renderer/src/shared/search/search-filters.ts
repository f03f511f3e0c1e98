import type { SearchConditions, SearchKind } from '@parley/contract';
import { startOfDay, type Day } from '../calendar/days.ts';

/** What the user narrows a search down to. */
export interface SearchFilters {
  readonly from?: 'me' | 'partner' | undefined;
  readonly kind?: SearchKind | undefined;
  /** The first day that is searched. */
  readonly since?: Day | undefined;
  /** The day after the last one that is searched. */
  readonly before?: Day | undefined;
}

/** Returns whether a search is narrowed down to anything. */
export function hasFilters(filters: SearchFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Returns the conditions of a search with a text and filters. */
export function toConditions(
  text: string,
  { from, kind, since, before }: SearchFilters,
): SearchConditions {
  return {
    query: text,
    ...(from && { from }),
    ...(kind && { kind }),
    ...(since !== undefined && { after: startOfDay(since).getTime() }),
    ...(before !== undefined && { before: startOfDay(before).getTime() }),
  };
}
