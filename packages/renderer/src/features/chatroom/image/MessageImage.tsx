import { isServerReachable } from '@parley/client';
import type { MediaInfo } from '@parley/contract';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { useMediaUrl } from '../../../format/use-media-url.ts';
import { useOnReconnect } from '../use-on-reconnect.ts';
import css from './MessageImage.module.css';
import { useOpenImage } from './use-open-image.ts';

interface MessageImageProps {
  /** The image's URL. */
  content: string;
  media: MediaInfo | undefined;
  alt: string;
  /** Size in pixels, which the image reserves while it loads. */
  width?: number;
  height?: number;
  /** Whether the image fills its frame and is cropped. */
  isCropped?: boolean;
  tabIndex?: number;
}

/** An image of a message in a frame of its size. A click opens it in the lightbox. */
export function MessageImage(props: MessageImageProps) {
  const { content, media, alt, width, height, isCropped, tabIndex } = props;
  const { t } = useTranslation();
  const src = useMediaUrl(content);
  const [state, setState] = useState<'loading' | 'ready' | 'broken'>('loading');
  const { open } = useOpenImage();
  const isOnline = useClientState('connection', isServerReachable);
  useOnReconnect(() => setState((now) => (now === 'broken' ? 'loading' : now)));

  const isBlocked = media?.isBlocked === true;
  if (isBlocked || state === 'broken') {
    const text = isBlocked
      ? 'message.imageBlocked'
      : isOnline
        ? 'message.imageBroken'
        : 'message.waiting';
    return (
      <span className={css.broken} data-cropped={isCropped}>
        <ImageOff aria-hidden="true" />
        {t(text)}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={css.open}
      aria-label={`${t('message.openImage')}: ${alt}`}
      data-image={content}
      tabIndex={tabIndex}
      onClick={() => open(content)}
    >
      <img
        className={css.image}
        data-state={state}
        data-cropped={isCropped}
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
  );
}
