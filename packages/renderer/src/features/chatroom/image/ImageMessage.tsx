import type { MediaInfo } from '@parley/contract';
import { ImageOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { useMediaUrl } from '../use-media-url.ts';
import { useOnReconnect } from '../use-on-reconnect.ts';
import { CORNER_MIN_WIDTH, imageBox } from './image-box.ts';
import css from './ImageMessage.module.css';
import { useOpenImage } from './use-open-image.ts';

interface ImageMessageProps {
  /** The image's URL. */
  content: string;
  media: MediaInfo | undefined;
  isOwn: boolean;
  partnerName: string;
  /** The message's time and state. */
  children: ReactNode;
}

/** A message with an image. It reserves its final size while loading; a click opens it in the lightbox. */
export function ImageMessage({ content, media, isOwn, partnerName, children }: ImageMessageProps) {
  const { t } = useTranslation();
  const src = useMediaUrl(content);
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading');
  const { open } = useOpenImage();
  const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
  const { width, height } = imageBox(media?.isBlocked ? undefined : media);
  const isOnline = useClientState('connection', ({ status }) => status === 'online');
  useOnReconnect(() => setState((now) => (now === 'broken' ? 'loading' : now)));

  // The date of an older message does not fit into a small image and is shown below it.
  const hasCorner = width >= CORNER_MIN_WIDTH;
  const isBlocked = media?.isBlocked === true;
  const brokenText = isBlocked
    ? 'message.imageBlocked'
    : isOnline
      ? 'message.imageBroken'
      : 'message.waiting';

  return (
    <>
      <div className={css.frame} style={{ width, aspectRatio: `${width} / ${height}` }}>
        {isBlocked || state === 'broken' ? (
          <span className={css.broken}>
            <ImageOff aria-hidden="true" />
            {t(brokenText)}
          </span>
        ) : (
          <button
            type="button"
            className={css.open}
            aria-label={`${t('message.openImage')}: ${alt}`}
            data-image={content}
            onClick={() => open(content)}
          >
            <img
              className={css.image}
              data-state={state}
              src={src}
              alt={alt}
              width={width}
              height={height}
              loading="lazy"
              decoding="async"
              onLoad={() => setState('ready')}
              onError={() => setState('broken')}
            />
          </button>
        )}
        {hasCorner && <span className={css.corner}>{children}</span>}
      </div>
      {!hasCorner && <span className={css.below}>{children}</span>}
    </>
  );
}
