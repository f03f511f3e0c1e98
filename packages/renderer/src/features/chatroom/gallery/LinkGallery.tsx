import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiText } from '../../../format/EmojiText.tsx';
import { useOwnLinks } from '../../../shared/screen/use-own-links.ts';
import { GalleryContent } from './GalleryContent.tsx';
import css from './GalleryRow.module.css';
import { GalleryRow } from './GalleryRow.tsx';
import { linksOf } from './gallery-items.ts';
import { useGallery, type GalleryProps } from './use-gallery.ts';

/** The links in the messages of a chatroom, with the texts around them. */
export function LinkGallery({ chatroomId, partnerName }: GalleryProps) {
  const { t } = useTranslation();
  const gallery = useGallery(chatroomId, 'link');
  const ownLinks = useOwnLinks();
  const links = useMemo(() => linksOf(gallery.messages), [gallery.messages]);
  return (
    <GalleryContent
      gallery={gallery}
      items={links}
      messageOf={({ message }) => message}
      emptyTitle={t('gallery.noLinks')}
      emptyText={t('gallery.noLinksHelp')}
    >
      {(items) => (
        <ul className={css.list} {...ownLinks}>
          {items.map(({ key, href, host, text, message }) => (
            <GalleryRow key={key} message={message} partnerName={partnerName}>
              <a
                className={css.link}
                href={href}
                target="_blank"
                rel="noopener noreferrer nofollow"
              >
                <bdi className={css.host}>{host}</bdi>
                <span className={css.text} dir="auto">
                  <EmojiText text={text} />
                </span>
              </a>
            </GalleryRow>
          ))}
        </ul>
      )}
    </GalleryContent>
  );
}
