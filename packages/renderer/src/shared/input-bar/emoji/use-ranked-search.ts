import type { Language } from '@parley/contract';
import type { EmojiData } from 'emoji-picker-react';
import { searchEmojis } from 'emoji-picker-react/data';
import { useEffect, useMemo, useState } from 'react';

import { rankEmoji } from './rank-emoji.ts';

/** Loads the German names; the picker takes it as it is. */
export const loadGerman = () => import('emoji-picker-react/data/emojis-de');

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
  const german = useGerman(language);
  const { id, name } = custom;
  const wanted = query.trim().toLowerCase();

  const found = useMemo(() => {
    if (wanted === '' || (language === 'de' && !german)) return undefined;
    const matches = searchEmojis(wanted, german && { emojiData: german }).map((emoji) => ({
      name: emoji.name,
      names: emoji.names,
      code: emoji.variations.find((code) => code.split('-')[1] === tone) ?? emoji.unified,
    }));
    const own = name.toLowerCase().includes(wanted) ? [{ code: id, name, names: [name] }] : [];
    return rankEmoji([...own, ...matches], wanted).map(({ code }) => code);
  }, [wanted, language, german, tone, id, name]);
  return { found, onSearchChange: setQuery };
}

function useGerman(language: Language): EmojiData | undefined {
  const [german, setGerman] = useState<EmojiData>();
  useEffect(() => {
    if (language !== 'de') return undefined;
    let isCurrent = true;
    loadGerman()
      .then(({ default: data }) => isCurrent && setGerman(data))
      // Without it, the picker says so itself.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return language === 'de' ? german : undefined;
}
