import type { MessageEntry } from '@parley/client';
import type { MediaInfo } from '@parley/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CORNER_MIN_WIDTH, imageBox } from './image-box.ts';
import css from './ImageMessage.module.css';
import { MessageImage } from './MessageImage.tsx';
import { UploadingImage } from './UploadingImage.tsx';

interface ImageMessageProps {
  /** The image's URL. Empty while it is being uploaded. */
  content: string;
  /** Shows the image while it is being uploaded. */
  entry: MessageEntry | undefined;
  media: MediaInfo | undefined;
  isOwn: boolean;
  partnerName: string;
  isTabStop: boolean;
  /** The message's time and state, unless its caption shows them. */
  children: ReactNode;
}

/** A message with an image. It reserves its final size while loading; a click opens it in the lightbox. */
export function ImageMessage(props: ImageMessageProps) {
  const { content, entry, media, isOwn, partnerName, children } = props;
  const { t } = useTranslation();
  const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
  const { width, height } = imageBox(media?.isBlocked ? undefined : media);
  // The date of an older message does not fit into a small image and is shown below it.
  const hasCorner = width >= CORNER_MIN_WIDTH;
  return (
    <>
      <div className={css.frame} style={{ width, aspectRatio: `${width} / ${height}` }}>
        {entry?.file && content === '' ? (
          <UploadingImage
            clientId={entry.clientId}
            file={entry.file}
            alt={alt}
            isTabStop={props.isTabStop}
          />
        ) : (
          <MessageImage
            content={content}
            media={media}
            file={entry?.uploadedFile?.blob}
            alt={alt}
            width={width}
            height={height}
            tabIndex={props.isTabStop ? 0 : -1}
          />
        )}
        {hasCorner && children && <span className={css.corner}>{children}</span>}
      </div>
      {!hasCorner && children && <span className={css.below}>{children}</span>}
    </>
  );
}
