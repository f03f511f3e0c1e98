import { UI } from '@parley/contract';
import EmojiPicker, {
  Categories,
  EmojiStyle as PickerStyle,
  SuggestionMode,
  type EmojiClickData,
} from 'emoji-picker-react';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../app/app-context.ts';
import { addRecentEmoji } from '../../../app/recent-emoji.ts';
import type { EmojiStyle } from '../../../app/device-settings.ts';
import flagUrl from '../../../assets/circassia.svg';
import { CIRCASSIA } from '../../../format/custom-emoji.ts';
import { withSkinTone, type SkinTone } from '../../../app/skin-tones.ts';
import { emojiUrl } from '../../../format/emoji-url.ts';
import { CustomEmojiImage, StyledEmoji } from '../../../format/EmojiText.tsx';
import { useEmojiStyle } from '../../../format/use-emoji-url.ts';
import { useHost, usePublicConfig } from '../../../host/host-context.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import css from './EmojiPanel.module.css';
import { QUICK_EMOJI } from './quick-emoji.ts';
import { EMOJI_NAMES } from './use-emoji-names.ts';
import { useRankedSearch } from './use-ranked-search.ts';

const PICKER_STYLES: Readonly<Record<EmojiStyle, PickerStyle>> = {
  native: PickerStyle.NATIVE,
  twitter: PickerStyle.TWITTER,
  google: PickerStyle.GOOGLE,
  apple: PickerStyle.APPLE,
  facebook: PickerStyle.FACEBOOK,
};

const CUSTOM_ID = 'circassia';

/** The emoji picker with a row of quick emoji. Loads third-party images only if the operator has set their URL. */
export default function EmojiPanel({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const loadNames = EMOJI_NAMES[language];
  const theme = useSettings((state) => state.theme);
  const style = useEmojiStyle();
  const config = usePublicConfig();
  const { serverOrigin } = useHost();
  const tone = useSettings((state) => state.skinTone);
  const setTone = useSettings((state) => state.setSkinTone);
  const { found, onSearchChange } = useRankedSearch(language, tone, {
    id: CUSTOM_ID,
    name: t('emoji.circassia'),
  });

  const customEmoji = useMemo(
    () => [{ id: CUSTOM_ID, names: [t('emoji.circassia')], imgUrl: flagUrl }],
    [t],
  );

  const pick = ({ isCustom, emoji, unified, unifiedWithoutSkinTone }: EmojiClickData): void => {
    // The picker does not record picks from suggestions that it did not provide itself.
    if (found) addRecentEmoji(unified, unifiedWithoutSkinTone);
    onPick(isCustom ? CIRCASSIA.shortcode : emoji);
  };

  return (
    <div className={css.panel}>
      <QuickEmoji tone={tone} onPick={onPick} />
      <EmojiPicker
        key={`${language} ${style}`}
        className={css.picker ?? ''}
        width={UI.emojiPickerWidth}
        height={420}
        colorScheme={theme === 'system' ? 'auto' : theme}
        emojiStyle={PICKER_STYLES[style]}
        getEmojiUrl={(code) => emojiUrl(style, code, config, serverOrigin) ?? ''}
        suggestedEmojisMode={SuggestionMode.RECENT}
        skinTone={tone}
        onSkinToneChange={setTone}
        onSearchChange={onSearchChange}
        // The picker keeps the given order only in this category, so a search shows no other categories.
        {...(found && { suggestedEmojis: found })}
        reactions={QUICK_EMOJI.map(([, code]) => code)}
        customEmojis={customEmoji}
        {...(loadNames && { emojiData: loadNames })}
        previewConfig={{ showPreview: false }}
        lazyLoadEmojis
        onEmojiClick={pick}
        categories={listCategories(t, found !== undefined)}
        labels={getPickerLabels(t)}
      />
    </div>
  );
}

/** The row of quick emoji above the picker. */
function QuickEmoji({ tone, onPick }: { tone: SkinTone; onPick: (emoji: string) => void }) {
  return (
    <div className={css.quick}>
      {QUICK_EMOJI.map(([neutral, code]) => {
        const emoji = withSkinTone(neutral, tone);
        return (
          <button key={code} type="button" onClick={() => onPick(emoji)}>
            <StyledEmoji text={emoji} />
          </button>
        );
      })}
      <button type="button" onClick={() => onPick(CIRCASSIA.shortcode)}>
        <CustomEmojiImage />
      </button>
    </div>
  );
}

/** Returns the categories of the picker: the found emoji during a search, otherwise all emoji. */
function listCategories(t: TFunction, isSearching: boolean) {
  if (isSearching) return [{ category: Categories.SUGGESTED, name: t('emoji.results') }];
  return [
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
  ];
}

function getPickerLabels(t: TFunction) {
  return {
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
  };
}
