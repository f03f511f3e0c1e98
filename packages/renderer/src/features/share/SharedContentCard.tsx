import { LIMITS, UI } from '@parley/contract';
import type { TFunction } from 'i18next';
import { Image as ImageIcon } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showPreview } from '../../client/show-preview.ts';
import type { SharedContent } from '../../host/shared-content.ts';
import { Card } from '../../ui/Card.tsx';
import css from './SharedContentCard.module.css';

interface SharedContentCardProps {
  content: SharedContent;
  /** The button that discards it. */
  children: ReactNode;
}

/** Shows what another app shared, and what was left out. */
export function SharedContentCard({ content, children }: SharedContentCardProps) {
  const { t } = useTranslation();
  const { text, images, refused, refusedMore } = content;
  return (
    <section aria-label={t('share.content')}>
      <Card className={css.card}>
        {images.length > 0 && <Previews content={content} />}
        {text !== '' && (
          <p className={css.text} dir="auto">
            {text}
          </p>
        )}
        {refused.length > 0 && (
          <div role="alert" className={css.refused}>
            <p>{t('share.left')}</p>
            <ul>
              {[...new Set(refused.map((each) => refusalText(each, t)))].map((line) => (
                <li key={line}>{line}</li>
              ))}
              {refusedMore > 0 && <li>{t('share.refusedMore', { count: refusedMore })}</li>}
            </ul>
          </div>
        )}
        <div className={css.actions}>{children}</div>
      </Card>
    </section>
  );
}

function Previews({ content: { id, images } }: { content: SharedContent }) {
  const { t } = useTranslation();
  // Several files may have the same name.
  const keyed = new Map(images.map((image, index) => [`${id}/${index}`, image]));
  return (
    <ul className={css.images} aria-label={t('message.imageCount', { count: images.length })}>
      {[...keyed].map(([key, image]) => (
        <li key={key} className={css.image} title={image.name}>
          <ImageIcon />
          {/* An SVG could freeze the window before the server has checked its complexity. */}
          {image.type !== 'image/svg+xml' && <Preview image={image} />}
          <span className="visually-hidden">{image.name}</span>
        </li>
      ))}
    </ul>
  );
}

function Preview({ image }: { image: File }) {
  const show = useCallback(
    (element: HTMLImageElement | null) => (element ? showPreview(element, image) : undefined),
    [image],
  );
  return (
    <img
      ref={show}
      alt=""
      onError={(event) => event.currentTarget.style.setProperty('visibility', 'hidden')}
    />
  );
}

function refusalText(
  { name: fileName, reason }: SharedContent['refused'][number],
  t: TFunction,
): string {
  const name = fileName === '' ? t('share.unnamed') : fileName;
  const texts = {
    type: t('share.refusedType', { name }),
    size: t('share.refusedSize', { name, size: LIMITS.imageBytesMax / 1024 / 1024 }),
    empty: t('share.refusedEmpty', { name }),
    unreadable: t('share.refusedUnreadable', { name }),
    count: t('share.refusedCount', { name, count: UI.unsentImagesMax }),
    text: t('share.refusedText'),
  };
  return texts[reason];
}
