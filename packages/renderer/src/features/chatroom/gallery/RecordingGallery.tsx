import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { AudioPlayer } from '../audio/AudioPlayer.tsx';
import { useMediaUrl } from '../../../format/use-media-url.ts';
import type { Message } from '@parley/contract';
import { GalleryContent } from './GalleryContent.tsx';
import { GalleryRow } from './GalleryRow.tsx';
import css from './GalleryRow.module.css';
import { useGallery, type GalleryProps } from './use-gallery.ts';

/** The recordings of a chatroom. */
export function RecordingGallery({ chatroomId, partnerName }: GalleryProps) {
  const { t } = useTranslation();
  const gallery = useGallery(chatroomId, 'audio');
  return (
    <GalleryContent
      gallery={gallery}
      items={gallery.messages}
      messageOf={(message) => message}
      emptyTitle={t('gallery.noRecordings')}
      emptyText={t('gallery.noRecordingsHelp')}
    >
      {(messages) => (
        <ul className={css.list}>
          {messages.map((message) => (
            <GalleryRow key={message._id} message={message} partnerName={partnerName}>
              <Recording message={message} partnerName={partnerName} />
            </GalleryRow>
          ))}
        </ul>
      )}
    </GalleryContent>
  );
}

function Recording({ message, partnerName }: { message: Message; partnerName: string }) {
  const { t } = useTranslation();
  const { username } = useClient();
  const isOwn = message.sender.username === username;
  return (
    <div className={css.player}>
      <AudioPlayer
        src={useMediaUrl(message.content)}
        playKey={message._id}
        label={isOwn ? t('audio.own') : t('audio.partner', { name: partnerName })}
        media={message.media}
        isOwn={isOwn}
      />
    </div>
  );
}
