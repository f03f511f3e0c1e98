import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { useClient } from '../../../client/client-context.ts';
import { formatWhen } from '../../../format/dates.ts';
import { useToday } from '../../../format/use-clock.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { messagePath } from '../../../navigation/paths.ts';
import { toChatImage } from '../image/chat-image.ts';
import { NO_MORE_PAGES, toImagePages } from '../image/image-pages.ts';
import { ImageViewer } from '../image/ImageViewer.tsx';
import { MessageImage } from '../image/MessageImage.tsx';
import { GalleryContent } from './GalleryContent.tsx';
import css from './ImageGallery.module.css';
import { useGallery, type GalleryProps } from './use-gallery.ts';

/** The images of a chatroom as tiles, which open in the lightbox. */
export function ImageGallery({ chatroomId, partnerName }: GalleryProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const language = useLanguage();
  const today = useToday();
  const { username } = useClient();
  const gallery = useGallery(chatroomId, 'image');
  const images = gallery.messages.map((message) => toChatImage(message, username)).toReversed();
  return (
    <>
      <GalleryContent
        gallery={gallery}
        items={gallery.messages}
        messageOf={(message) => message}
        emptyTitle={t('gallery.noImages')}
        emptyText={t('gallery.noImagesHelp')}
      >
        {(messages) => (
          <ul className={css.grid}>
            {messages.map(({ _id, content, media, sender, createdAt, chatroom, seq }) => {
              const isOwn = sender.username === username;
              const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
              const tile = (
                <MessageImage
                  content={content}
                  media={media}
                  alt={`${alt}, ${formatWhen(createdAt, language, today)}`}
                  isCropped
                />
              );
              return (
                <li key={_id} className={css.tile}>
                  {media?.isBlocked ? <Link to={messagePath(chatroom, seq)}>{tile}</Link> : tile}
                </li>
              );
            })}
          </ul>
        )}
      </GalleryContent>
      <ImageViewer
        images={images}
        partnerName={partnerName}
        older={toImagePages(gallery.state, gallery, gallery.state.hits.length)}
        newer={NO_MORE_PAGES}
        canShowInChat={() => true}
        onShowInChat={({ seq }) => void navigate(messagePath(chatroomId, seq))}
      />
    </>
  );
}
