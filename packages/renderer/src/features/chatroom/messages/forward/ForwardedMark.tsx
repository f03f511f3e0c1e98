import { Forward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from './ForwardedMark.module.css';

/** The line above the content of a forwarded message. */
export function ForwardedMark() {
  const { t } = useTranslation();
  return (
    <span className={css.mark} data-forwarded>
      <Forward />
      {t('message.forwarded')}
    </span>
  );
}
