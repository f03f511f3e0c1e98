import { IMAGE_TYPES } from '@parley/contract';
import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';

interface ImageButtonProps {
  onPick: (files: Iterable<File>) => void;
  isDisabled: boolean;
}

/** A button that opens the file picker for images. */
export function ImageButton({ onPick, isDisabled }: ImageButtonProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES.join()}
        multiple
        hidden
        onChange={(event) => {
          onPick(event.target.files ?? []);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
      <IconButton
        label={t('composer.image')}
        icon={<ImagePlus />}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
