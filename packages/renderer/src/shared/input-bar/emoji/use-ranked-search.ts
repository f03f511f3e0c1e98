import type { Language } from '@parley/texts';
import type { EmojiData } from 'emoji-picker-react';
import { searchEmojis } from 'emoji-picker-react/data';
import { useEffect, useMemo, useState } from 'react';

import { rankEmoji } from './rank-emoji.ts';

/** Loaders of the emoji names by language. Languages without an entry use the English names. */
export const EMOJI_NAMES: Partial<Record<Language, () => Promise<{ default: EmojiData }>>> = {
  de: () => import('emoji-picker-react/data/emojis-de'),
};

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
  const loadNames = EMOJI_NAMES[language];
  const names = useNames(loadNames);
  const { id, name } = custom;
  const normalizedQuery = query.trim().toLowerCase();

  const found = useMemo(() => {
    if (normalizedQuery === '' || (loadNames && !names)) return undefined;
    const matches = searchEmojis(normalizedQuery, names && { emojiData: names }).map((emoji) => ({
      name: emoji.name,
      names: emoji.names,
      code: emoji.variations.find((code) => code.split('-')[1] === tone) ?? emoji.unified,
    }));
    const own = name.toLowerCase().includes(normalizedQuery)
      ? [{ code: id, name, names: [name] }]
      : [];
    return rankEmoji([...own, ...matches], normalizedQuery).map(({ code }) => code);
  }, [normalizedQuery, loadNames, names, tone, id, name]);
  return { found, onSearchChange: setQuery };
}

type LoadNames = (typeof EMOJI_NAMES)[Language];

function useNames(load: LoadNames): EmojiData | undefined {
  const [loaded, setLoaded] = useState<{ from: LoadNames; names: EmojiData }>();
  useEffect(() => {
    if (!load) return undefined;
    let isCurrent = true;
    load()
      .then(({ default: names }) => isCurrent && setLoaded({ from: load, names }))
      // The picker reports a failure itself.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded?.from === load ? loaded?.names : undefined;
}
