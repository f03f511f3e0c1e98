import type { Language } from '@parley/texts';
import { useMemo, useState } from 'react';
import { searchEmoji } from './search-emoji.ts';
import { useEmojiNames } from './use-emoji-names.ts';

interface RankedSearch {
  /** Codes of the found emoji, best first; undefined without a query. */
  found: string[] | undefined;
  onSearchChange: (query: string) => void;
}

/**
 * Searches emoji as the picker does and ranks the results.
 * @param tone code of the chosen skin tone
 * @param custom id and name of the custom emoji
 */
export function useRankedSearch(
  language: Language,
  tone: string,
  custom: { id: string; name: string },
): RankedSearch {
  const [query, setQuery] = useState('');
  const { isReady, names } = useEmojiNames(language);
  const { id, name } = custom;

  const found = useMemo(() => {
    if (query.trim() === '' || !isReady) return undefined;
    const emoji = searchEmoji(query, { names, tone, custom: { id, names: [name] } });
    return emoji.map(({ code }) => code);
  }, [query, isReady, names, tone, id, name]);
  return { found, onSearchChange: setQuery };
}
