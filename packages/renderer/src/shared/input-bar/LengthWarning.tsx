import { useTranslation } from 'react-i18next';
import css from './LengthWarning.module.css';

/** The warning above the input bar that shows by how many characters the text is too long. */
export function LengthWarning({ excess }: { excess: number }) {
  const { t } = useTranslation();
  if (excess === 0) return null;
  return <output className={css.note}>{t('composer.tooLong', { count: excess })}</output>;
}
