import type { FileEntry } from '@parley/client';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { isShrinkable } from '../../../client/judge-image.ts';
import { shrinkRefusedImage } from '../../../client/shrink-image.ts';
import { Button } from '../../../ui/Button.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import css from './SmallerCopyOffer.module.css';

interface SmallerCopyOfferProps {
  /** An image that was refused because of its size. */
  image: FileEntry;
  /** Whether the rest of the draft can be sent, too. */
  canSend: boolean;
  /** Called once the copy is being sent. */
  onSent: () => void;
}

/** Offers to send a smaller copy of an image above the composer, unless none can be made. */
export function SmallerCopyOffer({ image, canSend, onSent }: SmallerCopyOfferProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { clientId, to, file } = image;
  const { blob, name } = file;
  const [isOffered, setIsOffered] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    let isCurrent = true;
    const judge = async (): Promise<void> => {
      const found = await isShrinkable(blob);
      if (isCurrent) setIsOffered(found);
    };
    void judge();
    return () => {
      isCurrent = false;
    };
  }, [blob]);

  const send = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const copy = await shrinkRefusedImage(new File([blob], name, { type: blob.type }));
      // In the meantime, the user may have sent or removed the image, or begun to edit a message.
      if (!client.replaceImage(clientId, copy)) return;
      if (client.drafts.getState().drafts[to.chatroomId]?.editing) return;
      client.sendDraft(to.chatroomId);
      onSent();
    } catch {
      toastError(t('smallerCopy.failed', { name }));
    } finally {
      setIsBusy(false);
    }
  };

  if (!isOffered) return null;
  return (
    <div className={css.offer}>
      <p className={css.text}>{t('smallerCopy.offer', { name })}</p>
      <Button variant="secondary" isDisabled={!canSend} isBusy={isBusy} onClick={() => void send()}>
        {t('smallerCopy.send')}
      </Button>
    </div>
  );
}
