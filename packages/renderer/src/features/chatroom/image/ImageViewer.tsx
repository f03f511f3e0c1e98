import { selectUnsentMessages, type Room } from '@parley/client';
import { contentKind } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { formatFull } from '../../../format/dates.ts';
import { usePublicConfig } from '../../../host/host-context.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { useMediaUrl } from '../use-media-url.ts';
import { Lightbox } from './Lightbox.tsx';
import { useOpenPicture } from './use-open-picture.ts';

interface Picture {
  /** The picture's URL as the message has it. */
  content: string;
  isOwn: boolean;
  createdAt: string;
}

/** The picture that is open, if any, among those of the room that are loaded. */
export function ImageViewer({ room }: { room: Room }) {
  const { picture, change, close } = useOpenPicture();
  const pictures = usePictures(room);
  const index = pictures.findIndex(({ content }) => content === picture);
  const current = pictures[index];
  if (!current) return null;
  const show = (other: Picture | undefined) => other && (() => change(other.content));
  return (
    <OpenPicture
      picture={current}
      partnerName={room.partnerName}
      place={{ current: index + 1, total: pictures.length }}
      onPrevious={show(pictures[index - 1])}
      onNext={show(pictures[index + 1])}
      onClose={close}
    />
  );
}

interface OpenPictureProps {
  picture: Picture;
  partnerName: string;
  place: { current: number; total: number };
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

function OpenPicture({ picture, partnerName, ...rest }: OpenPictureProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const src = useMediaUrl(picture.content);
  return (
    <Lightbox
      {...rest}
      id={picture.content}
      src={src}
      alt={picture.isOwn ? t('message.ownImage') : t('message.image', { name: partnerName })}
      sender={picture.isOwn ? t('lightbox.you') : partnerName}
      sentAt={formatFull(picture.createdAt, language)}
    />
  );
}

/** The room's pictures that can be opened, in their order; those that are being sent come last. */
function usePictures({ id, messages, currentUsername }: Room): Picture[] {
  const { mediaPrefix } = usePublicConfig();
  const entries = useClientState('outbox', (state) => state.entries);
  const sent = messages
    .filter(({ kind, media }) => kind === 'image' && !media?.isBlocked)
    .map(({ content, sender, createdAt }) => {
      return { content, createdAt, isOwn: sender.username === currentUsername };
    });
  const unsent = selectUnsentMessages(entries, id)
    .filter(({ content }) => contentKind(content, mediaPrefix) === 'image')
    .filter(({ content }) => !sent.some((picture) => picture.content === content))
    .map(({ content, createdAt }) => ({ content, createdAt, isOwn: true }));
  return [...sent, ...unsent];
}
