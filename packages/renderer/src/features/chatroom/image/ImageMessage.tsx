import type { MediaInfo } from '@parley/contract';
import { ImageOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaUrl } from '../use-media-url.ts';
import { useOnReturn } from '../use-on-return.ts';
import { imageBox } from './image-box.ts';
import css from './ImageMessage.module.css';
import { Lightbox } from './Lightbox.tsx';
import { useOpened } from './use-opened.ts';

interface ImageMessageProps {
  /** The picture's URL. */
  content: string;
  media: MediaInfo | undefined;
  isOwn: boolean;
  partnerName: string;
  /** The time, for the corner. */
  children: ReactNode;
}

/** A picture at its final size from the first frame; a click opens it large. */
export function ImageMessage({ content, media, isOwn, partnerName, children }: ImageMessageProps) {
  const { t } = useTranslation();
  const src = useMediaUrl(content);
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading');
  const { isOpen, open, close } = useOpened(content);
  const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
  const { width, height } = imageBox(media);
  useOnReturn(() => setState((now) => (now === 'broken' ? 'loading' : now)));

  return (
    <div className={css.frame} style={{ width, aspectRatio: `${width} / ${height}` }}>
      {state === 'broken' ? (
        <span className={css.broken}>
          <ImageOff aria-hidden="true" />
          {t('message.imageBroken')}
        </span>
      ) : (
        <button
          type="button"
          className={css.open}
          aria-label={`${t('message.openImage')}: ${alt}`}
          onClick={open}
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
      <span className={css.corner}>{children}</span>
      {isOpen && <Lightbox src={src} alt={alt} onClose={close} />}
    </div>
  );
}
