import { useTranslation } from 'react-i18next';
import css from './LengthWarning.module.css';

/** Above the input bar, where it takes no width from the text: by how much that is too long. */
export function LengthWarning({ excess }: { excess: number }) {
  const { t } = useTranslation();
  if (excess === 0) return null;
  return <output className={css.note}>{t('composer.tooLong', { count: excess })}</output>;
}
