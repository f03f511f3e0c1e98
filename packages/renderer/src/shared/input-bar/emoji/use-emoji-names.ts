import type { Language } from '@parley/texts';
import type { EmojiData } from 'emoji-picker-react';
import { useEffect, useState } from 'react';

/** Loaders of the emoji names by language. Languages without an entry use the English names. */
export const EMOJI_NAMES: Partial<Record<Language, () => Promise<{ default: EmojiData }>>> = {
  de: () => import('emoji-picker-react/data/emojis-de'),
};

type LoadNames = (typeof EMOJI_NAMES)[Language];

/** Returns the names of all emoji in a language once they are loaded. English ones are part of the code. */
export function useEmojiNames(language: Language): {
  isReady: boolean;
  names: EmojiData | undefined;
} {
  const load = EMOJI_NAMES[language];
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
  const names = loaded?.from === load ? loaded?.names : undefined;
  return { isReady: !load || names !== undefined, names };
}
