import { isServerReachable } from '@parley/client';
import { ImageOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import css from './MessageImage.module.css';

interface BrokenImageProps {
  /** Whether the operator has blocked the image. */
  isBlocked?: boolean;
  isCropped?: boolean | undefined;
}

/** What is shown in place of an image that cannot be loaded, and why. */
export function BrokenImage({ isBlocked = false, isCropped }: BrokenImageProps) {
  const { t } = useTranslation();
  const isOnline = useClientState('connection', isServerReachable);
  const failure = isOnline ? 'message.imageBroken' : 'message.waiting';
  return (
    <span className={css.broken} data-cropped={isCropped}>
      <ImageOff />
      {t(isBlocked ? 'message.imageBlocked' : failure)}
    </span>
  );
}
