import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { IMAGE_TYPES } from './image-failure.ts';

interface ImageButtonProps {
  onPick: (file: File | undefined) => void;
  isDisabled: boolean;
}

/** Chooses a picture from the device. */
export function ImageButton({ onPick, isDisabled }: ImageButtonProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES.join()}
        hidden
        onChange={(event) => {
          onPick(event.target.files?.[0]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
      <IconButton
        label={t('composer.image')}
        icon={<ImagePlus aria-hidden="true" />}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
