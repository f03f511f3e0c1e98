import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { contentOf, type TimelineItem } from '../messages/timeline.ts';
import { ALBUM_TILES_MAX, albumRows } from './album-rows.ts';
import css from './AlbumGrid.module.css';
import { MessageImage } from './MessageImage.tsx';
import { UploadingImage } from './UploadingImage.tsx';

interface AlbumGridProps {
  images: readonly TimelineItem[];
  isOwn: boolean;
  partnerName: string;
  /** Whether Tab reaches the images. */
  isTabStop: boolean;
  /** The time and state of the album, unless its caption shows them. */
  children: ReactNode;
}

/**
 * The images of an album as tiles, whose sizes do not depend on the images. Each tile is a message with a menu of
 * its own.
 */
export function AlbumGrid({ images, isOwn, partnerName, isTabStop, children }: AlbumGridProps) {
  const { t } = useTranslation();
  const shown = images.slice(0, ALBUM_TILES_MAX);
  const more = images.length - shown.length;
  const columns = albumRows(shown.length).flatMap((count) =>
    Array.from({ length: count }, () => count),
  );
  return (
    <div className={css.album}>
      <ul className={css.grid}>
        {shown.map(({ key, message, entry }, index) => {
          const place = t('message.albumPlace', { current: index + 1, total: images.length });
          const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
          return (
            <li
              key={key}
              className={css.tile}
              data-columns={columns[index]}
              data-key={key}
              data-message={message?._id ?? entry?.clientId}
              data-state={message ? 'sent' : (entry?.state ?? 'waiting')}
            >
              {entry?.file && !message ? (
                <UploadingImage
                  clientId={entry.clientId}
                  file={entry.file}
                  alt={`${alt}, ${place}`}
                  isTabStop={isTabStop}
                  isCropped
                />
              ) : (
                <MessageImage
                  content={contentOf({ message, entry })}
                  media={message?.media ?? entry?.media}
                  alt={`${alt}, ${place}`}
                  isCropped
                  tabIndex={isTabStop ? 0 : -1}
                />
              )}
              {more > 0 && index === shown.length - 1 && (
                <span className={css.more} aria-hidden="true">
                  +{more}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {children && <span className={css.corner}>{children}</span>}
    </div>
  );
}
