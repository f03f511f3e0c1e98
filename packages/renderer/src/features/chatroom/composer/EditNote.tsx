import { Pencil, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmojiText } from '../../../format/EmojiText.tsx';
import { shorten } from '../../../format/preview.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './EditNote.module.css';

/** The bar above the composer with the original text of the edited message and a cancel button. */
export function EditNote({ text, onCancel }: { text: string; onCancel: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classNames('fade-in', css.note)}>
      <Pencil />
      <output className={css.words}>
        <span className={css.title}>{t('composer.editing')}</span>
        <span className={css.text} dir="auto">
          <EmojiText text={shorten(text, 160)} />
        </span>
      </output>
      <IconButton label={t('composer.cancelEdit')} size="small" icon={<X />} onClick={onCancel} />
    </div>
  );
}
