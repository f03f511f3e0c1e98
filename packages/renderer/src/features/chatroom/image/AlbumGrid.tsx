import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { contentOf, type TimelineItem } from '../messages/timeline.ts';
import { ALBUM_TILES_MAX, layOutAlbum, type AlbumTile } from './album-layout.ts';
import css from './AlbumGrid.module.css';
import { ALBUM_WIDTH } from './image-box.ts';
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
 * The images of an album as tiles, arranged by the shapes of the images before these are loaded. Each tile is a
 * message with a menu of its own.
 */
export function AlbumGrid({ images, isOwn, partnerName, isTabStop, children }: AlbumGridProps) {
  const { t } = useTranslation();
  const shown = images.slice(0, ALBUM_TILES_MAX);
  const more = images.length - shown.length;
  const media = shown.map(({ message, entry }) => message?.media ?? entry?.media);
  const { height, tiles } = layOutAlbum(media);
  return (
    <div className={css.album}>
      <ul className={css.grid} style={{ aspectRatio: `${ALBUM_WIDTH} / ${height}` }}>
        {shown.map(({ key, message, entry }, index) => {
          const place = t('message.albumPlace', { current: index + 1, total: images.length });
          const alt = isOwn ? t('message.ownImage') : t('message.image', { name: partnerName });
          return (
            <li
              key={key}
              className={css.tile}
              style={tileStyle(tiles[index], height)}
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
                  media={media[index]}
                  file={entry?.uploadedFile?.blob}
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

/** Returns the place of a tile in percent of the album, which narrow screens show smaller. */
function tileStyle(tile: AlbumTile | undefined, albumHeight: number): CSSProperties {
  const { x, y, width, height } = tile ?? { x: 0, y: 0, width: 0, height: 0 };
  const percent = (length: number, total: number): string => `${(100 * length) / total}%`;
  return {
    left: percent(x, ALBUM_WIDTH),
    top: percent(y, albumHeight),
    width: percent(width, ALBUM_WIDTH),
    height: percent(height, albumHeight),
  };
}
