import { Image, Mic } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './HiddenMedia.module.css';

interface HiddenMediaProps {
  kind: 'image' | 'audio';
  /** The message's time and state. */
  children: ReactNode;
}

/** Replaces the image or recording in a message request, which is not loaded. */
export function HiddenMedia({ kind, children }: HiddenMediaProps) {
  const { t } = useTranslation();
  return (
    <div className={css.hidden}>
      <span className={css.words}>
        {kind === 'image' ? <Image aria-hidden="true" /> : <Mic aria-hidden="true" />}
        {kind === 'image' ? t('request.imageHidden') : t('request.audioHidden')}
      </span>
      {children}
    </div>
  );
}
