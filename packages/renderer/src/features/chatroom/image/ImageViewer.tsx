import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { useMediaUrl } from '../../../format/use-media-url.ts';
import { Lightbox } from './Lightbox.tsx';
import { useOpenImage } from './use-open-image.ts';

/** An image that can be opened. */
export interface ChatImage {
  /** The image's URL as in the message. */
  content: string;
  isOwn: boolean;
  createdAt: string;
}

interface ImageViewerProps<Image extends ChatImage> {
  /** In chronological order. */
  images: readonly Image[];
  partnerName: string;
  /** Shows the message of the open image in the chatroom. */
  onShowInChat?: (image: Image) => void;
}

/** The lightbox with the open image, if any. Navigates between the given images. */
export function ImageViewer<Image extends ChatImage>({
  images,
  partnerName,
  onShowInChat,
}: ImageViewerProps<Image>) {
  const { image, change, close } = useOpenImage();
  const index = images.findIndex(({ content }) => content === image);
  const current = images[index];
  if (!current) return null;
  const show = (other: ChatImage | undefined) => other && (() => change(other.content));
  return (
    <OpenImage
      image={current}
      partnerName={partnerName}
      place={{ current: index + 1, total: images.length }}
      onPrevious={show(images[index - 1])}
      onNext={show(images[index + 1])}
      onShowInChat={onShowInChat && (() => onShowInChat(current))}
      onClose={close}
    />
  );
}

interface OpenImageProps {
  image: ChatImage;
  partnerName: string;
  place: { current: number; total: number };
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
      alt={image.isOwn ? t('message.ownImage') : t('message.image', { name: partnerName })}
      sender={image.isOwn ? t('lightbox.you') : partnerName}
      sentAt={format.full(image.createdAt)}
    />
  );
}
