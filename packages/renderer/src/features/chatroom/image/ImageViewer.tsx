import { selectUnsentMessages, type Room } from '@parley/client';
import { contentKind } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { formatFull } from '../../../format/dates.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { useMediaUrl } from '../use-media-url.ts';
import { Lightbox } from './Lightbox.tsx';
import { useOpenImage } from './use-open-image.ts';

interface ChatImage {
  /** The image's URL as in the message. */
  content: string;
  isOwn: boolean;
  createdAt: string;
}

/** The lightbox with the open image, if any. Navigates between the loaded images of the room. */
export function ImageViewer({ room }: { room: Room }) {
  const { image, change, close } = useOpenImage();
  const images = useImages(room);
  const index = images.findIndex(({ content }) => content === image);
  const current = images[index];
  if (!current) return null;
  const show = (other: ChatImage | undefined) => other && (() => change(other.content));
  return (
    <OpenImage
      image={current}
      partnerName={room.partnerName}
      place={{ current: index + 1, total: images.length }}
      onPrevious={show(images[index - 1])}
      onNext={show(images[index + 1])}
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
  onClose: () => void;
}

function OpenImage({ image, partnerName, ...rest }: OpenImageProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const src = useMediaUrl(image.content);
  return (
    <Lightbox
      {...rest}
      id={image.content}
      src={src}
      alt={image.isOwn ? t('message.ownImage') : t('message.image', { name: partnerName })}
      sender={image.isOwn ? t('lightbox.you') : partnerName}
      sentAt={formatFull(image.createdAt, language)}
    />
  );
}

/** Returns the room's images that can be opened, in chronological order with unsent ones last. */
function useImages({ id, messages, currentUsername }: Room): ChatImage[] {
  const { mediaPrefix } = usePublicConfig();
  const entries = useClientState('outbox', (state) => state.entries);
  const sent = messages
    .filter(({ kind, media }) => kind === 'image' && !media?.isBlocked)
    .map(({ content, sender, createdAt }) => {
      return { content, createdAt, isOwn: sender.username === currentUsername };
    });
  const unsent = selectUnsentMessages(entries, id)
    .filter(({ content }) => contentKind(content, mediaPrefix) === 'image')
    .filter(({ content }) => !sent.some((image) => image.content === content))
    .map(({ content, createdAt }) => ({ content, createdAt, isOwn: true }));
  return [...sent, ...unsent];
}
