import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from './class-names.ts';
import css from './Field.module.css';

interface PasswordToggleProps {
  isShown: boolean;
  onChange: (isShown: boolean) => void;
  className?: string | undefined;
}

/** The show/hide toggle over the end of a password field. */
export function PasswordToggle({ isShown, onChange, className }: PasswordToggleProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classNames(css.toggle, className)}
      aria-label={isShown ? t('ui.hidePassword') : t('ui.showPassword')}
      onClick={() => onChange(!isShown)}
    >
      {isShown ? <EyeOff /> : <Eye />}
    </button>
  );
}
