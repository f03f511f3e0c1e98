import type { MediaInfo } from '@parley/contract';
import { Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMediaImage } from '../../../client/use-media-image.ts';
import { BrokenImage } from './BrokenImage.tsx';
import css from './MessageImage.module.css';
import { useOpenImage } from './use-open-image.ts';

interface MessageImageProps {
  /** The image's URL. */
  content: string;
  media: MediaInfo | undefined;
  /** The image itself if this device has sent it. */
  file?: Blob | undefined;
  alt: string;
  /** Size in pixels, which the image reserves while it loads. */
  width?: number;
  height?: number;
  /** Whether the image fills its frame and is cropped. */
  isCropped?: boolean;
  tabIndex?: number;
}

/** An image of a message in a frame of its size. A click opens it in the lightbox, which plays a long animation. */
export function MessageImage(props: MessageImageProps) {
  const { content, media, file, alt, width, height, isCropped, tabIndex } = props;
  const { t } = useTranslation();
  const { state, isStill, attributes } = useMediaImage(content, { file });
  const { open } = useOpenImage();

  const isBlocked = media?.isBlocked === true;
  if (isBlocked || state === 'broken') {
    return <BrokenImage isBlocked={isBlocked} isCropped={isCropped} />;
  }
  const action = isStill ? t('message.playAnimation') : t('message.openImage');
  return (
    <button
      type="button"
      className={css.open}
      aria-label={`${action}: ${alt}`}
      data-image={content}
      tabIndex={tabIndex}
      onClick={() => open(content)}
    >
      <img
        {...attributes}
        className={css.image}
        data-state={state}
        data-cropped={isCropped}
        alt={alt}
        width={width}
        height={height}
      />
      {isStill && (
        <span className={css.play}>
          <Play />
        </span>
      )}
    </button>
  );
}
