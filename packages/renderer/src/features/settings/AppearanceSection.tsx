import { EXTERNAL_EMOJI_SETS, fullEmojiCode } from '@parley/contract';
import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../app/app-context.ts';
import type { EmojiStyle } from '../../app/device-settings.ts';
import { EmojiImage } from '../../format/EmojiImage.tsx';
import { emojiStyles, emojiUrl } from '../../format/emoji-url.ts';
import { useEmojiStyle } from '../../format/use-emoji-url.ts';
import { useHost, usePublicConfig } from '../../host/host-context.ts';
import { SettingChoice, SettingsSection } from './SettingsSection.tsx';
import { useLanguageSetting } from '../../shared/settings/use-language-setting.ts';

/** The language, stored in the account, and the theme and the emoji style, stored on this device. */
export function AppearanceSection() {
  const { t } = useTranslation();
  const { theme, setTheme, setEmojiStyle } = useSettings((state) => state);
  const emojiStyle = useEmojiStyle();
  const config = usePublicConfig();

  const { shown, change } = useLanguageSetting();

  return (
    <SettingsSection title={t('settings.appearance')}>
      <SettingChoice
        label={t('settings.language')}
        help={t('settings.languageHelp')}
        value={shown}
        onValueChange={change}
        options={LANGUAGE_CODES.map((code) => ({ value: code, label: LANGUAGES[code].name }))}
      />
      <SettingChoice
        label={t('settings.theme')}
        help={t('settings.themeHelp')}
        value={theme}
        onValueChange={setTheme}
        options={[
          { value: 'system', label: t('settings.themeSystem'), icon: <Monitor /> },
          { value: 'light', label: t('settings.themeLight'), icon: <Sun /> },
          { value: 'dark', label: t('settings.themeDark'), icon: <Moon /> },
        ]}
      />
      <SettingChoice
        label={t('settings.emoji')}
        help={t('settings.emojiHelp')}
        value={emojiStyle}
        onValueChange={setEmojiStyle}
        options={emojiStyles(config).map((style) => ({
          value: style,
          label: t(`settings.emojiStyle.${style}`),
          // Images from a third-party host are loaded only if the user has chosen its style.
          icon: shouldShowSample(style, emojiStyle) && <EmojiSample style={style} />,
        }))}
      />
    </SettingsSection>
  );
}

function shouldShowSample(style: EmojiStyle, chosen: EmojiStyle): boolean {
  return style === chosen || !(EXTERNAL_EMOJI_SETS as readonly string[]).includes(style);
}

const SAMPLE = '😀';

/** A sample emoji of a style. */
function EmojiSample({ style }: { style: EmojiStyle }) {
  const { serverOrigin } = useHost();
  const url = emojiUrl(style, fullEmojiCode(SAMPLE), usePublicConfig(), serverOrigin);
  return (
    <span aria-hidden="true">
      {url === undefined ? SAMPLE : <EmojiImage emoji={SAMPLE} url={url} />}
    </span>
  );
}
