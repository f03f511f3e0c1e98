import { UI } from '@parley/contract';
import EmojiPicker, {
  Categories,
  EmojiStyle,
  SuggestionMode,
  type EmojiClickData,
} from 'emoji-picker-react';
import { useTranslation } from 'react-i18next';
import flagUrl from '../../../assets/circassia.svg';
import { CIRCASSIA } from '../../../format/custom-emoji.ts';
import { CustomEmojiImage } from '../../../format/EmojiText.tsx';
import { useLanguage } from '../../../i18n/use-language.ts';
import { useSettings } from '../../../stores/settings.ts';
import css from './EmojiPanel.module.css';

/** Thumbs up, heart, smile, cry, pray, thumbs down, angry; each with the code that the picker knows it by. */
const QUICK = [
  ['👍', '1f44d'],
  ['❤️', '2764-fe0f'],
  ['😃', '1f603'],
  ['😢', '1f622'],
  ['🙏', '1f64f'],
  ['👎', '1f44e'],
  ['😡', '1f621'],
] as const;

const CUSTOM_ID = 'circassia';
const loadGerman = () => import('emoji-picker-react/data/emojis-de');

/** The emoji picker with a row of quick ones above it. Emoji are the system's own: nothing is fetched from elsewhere. */
export default function EmojiPanel({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const theme = useSettings((state) => state.theme);

  const pick = ({ isCustom, emoji }: EmojiClickData): void =>
    onPick(isCustom ? CIRCASSIA.shortcode : emoji);

  return (
    <div className={css.panel}>
      <div className={css.quick}>
        {QUICK.map(([emoji, code]) => (
          <button key={code} type="button" onClick={() => onPick(emoji)}>
            {emoji}
          </button>
        ))}
        <button type="button" onClick={() => onPick(CIRCASSIA.shortcode)}>
          <CustomEmojiImage />
        </button>
      </div>
      <EmojiPicker
        key={language}
        className={css.picker ?? ''}
        width={UI.emojiPickerWidth}
        height={420}
        colorScheme={theme === 'system' ? 'auto' : theme}
        emojiStyle={EmojiStyle.NATIVE}
        suggestedEmojisMode={SuggestionMode.RECENT}
        reactions={QUICK.map(([, code]) => code)}
        customEmojis={[{ id: CUSTOM_ID, names: [t('emoji.circassia')], imgUrl: flagUrl }]}
        {...(language === 'de' && { emojiData: loadGerman })}
        previewConfig={{ showPreview: false }}
        lazyLoadEmojis
        onEmojiClick={pick}
        categories={[
          { category: Categories.SUGGESTED, name: t('emoji.suggested') },
          { category: Categories.CUSTOM, name: t('emoji.custom') },
          { category: Categories.SMILEYS_PEOPLE, name: t('emoji.people') },
          { category: Categories.ANIMALS_NATURE, name: t('emoji.animals') },
          { category: Categories.FOOD_DRINK, name: t('emoji.food') },
          { category: Categories.TRAVEL_PLACES, name: t('emoji.travel') },
          { category: Categories.ACTIVITIES, name: t('emoji.activities') },
          { category: Categories.OBJECTS, name: t('emoji.objects') },
          { category: Categories.SYMBOLS, name: t('emoji.symbols') },
          { category: Categories.FLAGS, name: t('emoji.flags') },
        ]}
        labels={{
          searchPlaceholder: t('emoji.search'),
          searchLabel: t('emoji.searchLabel'),
          searchClear: t('emoji.clear'),
          searchResultsNone: t('emoji.none'),
          searchResultsOne: t('emoji.one'),
          searchResultsMany: t('emoji.many'),
          categoryNavigation: t('emoji.categories'),
          reactions: t('emoji.reactions'),
          expandReactions: t('emoji.more'),
          loading: t('emoji.loading'),
          loadingError: t('error.offline'),
          retryLoading: t('app.retry'),
          skinToneNeutral: t('emoji.toneNeutral'),
          skinToneLight: t('emoji.toneLight'),
          skinToneMediumLight: t('emoji.toneMediumLight'),
          skinToneMedium: t('emoji.toneMedium'),
          skinToneMediumDark: t('emoji.toneMediumDark'),
          skinToneDark: t('emoji.toneDark'),
        }}
      />
    </div>
  );
}
