import type { Language } from '@parley/texts';
import type { EmojiData } from 'emoji-picker-react';
import { searchEmojis } from 'emoji-picker-react/data';
import { useEffect, useMemo, useState } from 'react';

import { rankEmoji } from './rank-emoji.ts';

/** Loads the names of emoji in a language, for the search and the picker; without an entry, they are English. */
export const EMOJI_NAMES: Partial<Record<Language, () => Promise<{ default: EmojiData }>>> = {
  de: () => import('emoji-picker-react/data/emojis-de'),
};

interface RankedSearch {
  /** Codes of the emoji that were found, best first; undefined without a search. */
  found: string[] | undefined;
  onSearchChange: (query: string) => void;
}

/**
 * Searches as the picker does, and ranks what is found.
 * @param tone code of the skin tone that is chosen
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
      // Without it, the picker says so itself.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [load]);
  return loaded?.from === load ? loaded?.names : undefined;
}
