import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { useMediaUrl } from '../../../format/use-media-url.ts';
import type { ChatImage } from './chat-image.ts';
import type { ImagePages } from './image-pages.ts';
import { Lightbox } from './Lightbox.tsx';
import { NextImage } from './NextImage.tsx';
import { useOpenImage } from './use-open-image.ts';

interface ImageViewerProps<Image extends ChatImage> {
  /** In chronological order, without gaps. */
  images: readonly Image[];
  partnerName: string;
  /** The images before and after the given ones. */
  older: ImagePages;
  newer: ImagePages;
  /** Whether to offer to show the message of an image in the chatroom. */
  canShowInChat: (image: Image) => boolean;
  onShowInChat: (image: Image) => void;
}

/** How near the end of the loaded images the open one is when more are loaded. */
const LOAD_WITHIN = 5;

/** The lightbox with the open image, if any. Navigates between the given images and those that they are part of. */
export function ImageViewer<Image extends ChatImage>(props: ImageViewerProps<Image>) {
  const { images, partnerName, older, newer, canShowInChat, onShowInChat } = props;
  const { image, change, close } = useOpenImage();
  const index = images.findIndex(({ content }) => content === image);
  useLoadNear(older, index >= 0 && index < LOAD_WITHIN);
  useLoadNear(newer, index >= 0 && index >= images.length - LOAD_WITHIN);
  const current = images[index];
  if (!current) return null;
  const neighbors = [images[index - 1], images[index + 1]] as const;
  const [onPrevious, onNext] = neighbors.map((other) => other && (() => change(other.content)));
  const ends = [...(onPrevious ? [] : [older]), ...(onNext ? [] : [newer])];
  const isPlaceKnown = older.remaining !== undefined && newer.remaining !== undefined;
  return (
    <>
      <OpenImage
        image={current}
        partnerName={partnerName}
        place={
          isPlaceKnown
            ? {
                current: (older.remaining ?? 0) + index + 1,
                total: (older.remaining ?? 0) + images.length + (newer.remaining ?? 0),
              }
            : undefined
        }
        isOneOfSeveral={images.length > 1 || older.hasMore || newer.hasMore}
        isOffline={older.isOffline || newer.isOffline}
        isLoadingMore={ends.some(({ isLoading }) => isLoading)}
        onRetry={ends.find(({ hasFailed }) => hasFailed)?.load}
        onPrevious={onPrevious}
        onNext={onNext}
        onShowInChat={canShowInChat(current) ? () => onShowInChat(current) : undefined}
        onClose={close}
      />
      {neighbors.map((other) => other && <NextImage key={other.content} image={other} />)}
    </>
  );
}

/** Loads more images once the user is near the end of those that are loaded. */
function useLoadNear({ hasMore, isLoading, hasFailed, load }: ImagePages, isNear: boolean): void {
  const shouldLoad = isNear && hasMore && !isLoading && !hasFailed;
  const loadMore = useEffectEvent(load);
  useEffect(() => {
    if (shouldLoad) loadMore();
  }, [shouldLoad]);
}

interface OpenImageProps {
  image: ChatImage;
  partnerName: string;
  place: { current: number; total: number } | undefined;
  isOneOfSeveral: boolean;
  isOffline: boolean;
  isLoadingMore: boolean;
  onRetry: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onShowInChat: (() => void) | undefined;
  onClose: () => void;
}

function OpenImage({ image, partnerName, ...rest }: OpenImageProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const src = useMediaUrl(image.content);
  return (
    <Lightbox
      {...rest}
      id={image.content}
      src={src}
      isBlocked={image.isBlocked}
      alt={image.isOwn ? t('message.ownImage') : t('message.image', { name: partnerName })}
      sender={image.isOwn ? t('lightbox.you') : partnerName}
      sentAt={format.full(image.createdAt)}
    />
  );
}
