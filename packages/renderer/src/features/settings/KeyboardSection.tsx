import { useTranslation } from 'react-i18next';
import { useSettings } from '../../app/app-context.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** The setting for single-letter shortcuts, which speech input and stray key presses would trigger. */
export function KeyboardSection() {
  const { t } = useTranslation();
  const { hasLetterShortcuts, setLetterShortcuts } = useSettings((state) => state);
  return (
    <SettingsSection title={t('settings.keyboard')} help={t('settings.keyboardHelp')}>
      <Checkbox
        name="hasLetterShortcuts"
        checked={hasLetterShortcuts}
        onCheckedChange={setLetterShortcuts}
        help={t('settings.letterShortcutsHelp')}
      >
        {t('settings.letterShortcuts')}
      </Checkbox>
    </SettingsSection>
  );
}
