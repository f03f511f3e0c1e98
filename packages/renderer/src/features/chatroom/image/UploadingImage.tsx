import type { FileEntry } from '@parley/client';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { focusAfterRemoval } from '../messages/message-focus.ts';
import { UnsentImage } from './UnsentImage.tsx';
import css from './UploadingImage.module.css';

interface UploadingImageProps {
  clientId: string;
  file: FileEntry['file'];
  alt: string;
  /** Whether Tab reaches the button that removes it. */
  isTabStop: boolean;
  /** Whether the image fills its frame and is cropped. */
  isCropped?: boolean;
}

/** An image of a message that is being uploaded, with its progress and a button that removes it. */
export function UploadingImage(props: UploadingImageProps) {
  const { clientId, file, alt, isTabStop, isCropped } = props;
  const { t } = useTranslation();
  const client = useClient();
  const progress = useClientState('outbox', (outbox) => outbox.progress[clientId]);
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <span className={css.uploading} data-cropped={isCropped} title={file.name}>
      <UnsentImage clientId={clientId} file={file} alt={alt} />
      <progress className={css.progress} max={100} value={percent} aria-hidden="true" />
      {progress !== undefined && (
        <output className="visually-hidden">{t('composer.uploading', { percent })}</output>
      )}
      <IconButton
        className={css.remove}
        label={t('composer.removeImage')}
        size="small"
        icon={<X />}
        tabIndex={isTabStop ? 0 : -1}
        onClick={({ currentTarget }) => {
          const moveFocus = focusAfterRemoval(currentTarget.closest('[data-message]'));
          client.discard(clientId);
          moveFocus();
        }}
      />
    </span>
  );
}
