import { Dialog } from '@base-ui/react/dialog';
import {
  ChevronLeft,
  ChevronRight,
  Download,
  ExternalLink,
  MessageSquareText,
  RotateCw,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useFinalFocus } from '../../../ui/use-final-focus.ts';
import css from './Lightbox.module.css';
import { LightboxStage } from './LightboxStage.tsx';
import { useImageView, ZOOM_MAX } from './use-image-view.ts';

interface LightboxProps {
  /** The image's URL as in the message. The button that opens the image has this id as `data-image`. */
  id: string;
  /** The URL for downloading it and opening it in the browser. */
  src: string;
  alt: string;
  /** Displayed sender. */
  sender: string;
  /** Displayed time of sending. */
  sentAt: string;
  /** Whether the operator has blocked the image. */
  isBlocked: boolean;
  /** The image's position, starting at 1. Undefined if it is not known. */
  place: { current: number; total: number } | undefined;
  /** Whether there are other images, also ones that are not loaded. */
  isOneOfSeveral: boolean;
  /** Whether only the images on this device can be shown. */
  isOffline: boolean;
  /** Whether the image before or after this one is being loaded. */
  isLoadingMore: boolean;
  /** Loads the image before or after this one, which has failed. */
  onRetry: (() => void) | undefined;
  /** Shows the previous image; undefined for the first one. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** Shows the image's message in the chatroom. Undefined if the chatroom is shown already. */
  onShowInChat: (() => void) | undefined;
  onClose: () => void;
}

const ZOOM_STEP = 1.5;
const MOVE_STEP = 60;

/**
 * An image in the full window. It is zoomed by wheel, keys (+, −, 0), buttons and double click, and moved by
 * dragging and arrow keys. While it is not zoomed, arrow keys and horizontal swipes show the adjacent images,
 * and a swipe down closes it.
 */
export function Lightbox(props: LightboxProps) {
  const { id, src, alt, sender, sentAt, isBlocked, isOneOfSeveral } = props;
  const { onPrevious, onNext, onShowInChat, onClose } = props;
  const { t } = useTranslation();
  const view = useImageView(id);
  const isLeaving = useRef(false);
  const { isZoomed, zoomBy, moveBy } = view;

  const showInChat =
    onShowInChat &&
    (() => {
      isLeaving.current = true;
      onShowInChat();
    });

  const handleKeyDown = (event: KeyboardEvent): void => {
    const actions: Record<string, () => void> = {
      '+': () => zoomBy(ZOOM_STEP),
      '=': () => zoomBy(ZOOM_STEP),
      '-': () => zoomBy(1 / ZOOM_STEP),
      '0': view.fit,
      ArrowLeft: () => (isZoomed ? moveBy(MOVE_STEP, 0) : onPrevious?.()),
      ArrowRight: () => (isZoomed ? moveBy(-MOVE_STEP, 0) : onNext?.()),
      ArrowUp: () => moveBy(0, MOVE_STEP),
      ArrowDown: () => moveBy(0, -MOVE_STEP),
    };
    const action = event.ctrlKey || event.metaKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  // Otherwise, the message gets the focus.
  const ending = useFinalFocus(() => !isLeaving.current && (findOpenButton(id) ?? true));

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup} onKeyDown={handleKeyDown} {...ending}>
          <Dialog.Title className="visually-hidden">{t('lightbox.title')}</Dialog.Title>
          <LightboxToolbar
            src={isBlocked ? undefined : src}
            sender={sender}
            sentAt={sentAt}
            zoom={view.zoom}
            onZoomBy={zoomBy}
          />
          <LightboxStage
            content={id}
            alt={alt}
            isBlocked={isBlocked}
            view={view}
            isOneOfSeveral={isOneOfSeveral}
            onPrevious={onPrevious}
            onNext={onNext}
            onClose={onClose}
          />
          {isOneOfSeveral && <LightboxSteps onPrevious={onPrevious} onNext={onNext} />}
          <LightboxFoot {...props} onShowInChat={showInChat} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Below the image: its position, what happens to further images, and the button that shows its message. */
function LightboxFoot(props: LightboxProps) {
  const { place, isOneOfSeveral, isOffline, isLoadingMore, onRetry, onShowInChat } = props;
  const { t } = useTranslation();
  const loadingText = isLoadingMore && t('gallery.loading');
  const placeText = place && place.total > 1 && t('lightbox.place', place);
  return (
    <div className={css.foot}>
      {isOneOfSeveral && (
        <output className={css.position}>
          {isOffline ? t('gallery.offline') : loadingText || placeText}
        </output>
      )}
      {onRetry && (
        <>
          <span role="alert">{t('gallery.moreFailed')}</span>
          <button type="button" className={css.action} onClick={onRetry}>
            <RotateCw />
            {t('app.retry')}
          </button>
        </>
      )}
      {onShowInChat && (
        <button type="button" className={css.action} onClick={onShowInChat}>
          <MessageSquareText />
          {t('gallery.showInChat')}
        </button>
      )}
    </div>
  );
}

/** The buttons to the adjacent images. */
function LightboxSteps({ onPrevious, onNext }: Pick<LightboxProps, 'onPrevious' | 'onNext'>) {
  const { t } = useTranslation();
  return (
    <>
      <IconButton
        className={css.previous}
        label={t('lightbox.previous')}
        side="right"
        icon={<ChevronLeft />}
        aria-disabled={!onPrevious || undefined}
        onClick={onPrevious}
      />
      <IconButton
        className={css.next}
        label={t('lightbox.next')}
        side="left"
        icon={<ChevronRight />}
        aria-disabled={!onNext || undefined}
        onClick={onNext}
      />
    </>
  );
}

interface LightboxToolbarProps {
  /** Undefined if the image is blocked. */
  src: string | undefined;
  sender: string;
  sentAt: string;
  zoom: number;
  onZoomBy: (factor: number) => void;
}

function LightboxToolbar({ src, sender, sentAt, zoom, onZoomBy }: LightboxToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className={css.bar}>
      <p className={css.caption}>
        <bdi className={css.sender}>{sender}</bdi>
        <span className={css.date}>{sentAt}</span>
      </p>
      <IconButton
        label={t('lightbox.zoomOut')}
        side="bottom"
        icon={<ZoomOut />}
        disabled={zoom <= 1}
        onClick={() => onZoomBy(1 / ZOOM_STEP)}
      />
      <IconButton
        label={t('lightbox.zoomIn')}
        side="bottom"
        icon={<ZoomIn />}
        disabled={zoom >= ZOOM_MAX}
        onClick={() => onZoomBy(ZOOM_STEP)}
      />
      {src !== undefined && (
        <>
          <a
            className={css.link}
            href={src}
            download={fileName(src)}
            aria-label={t('lightbox.download')}
            title={t('lightbox.download')}
          >
            <Download />
          </a>
          <a
            className={css.link}
            href={src}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('lightbox.open')}
            title={t('lightbox.open')}
          >
            <ExternalLink />
          </a>
        </>
      )}
      <Dialog.Close
        render={<IconButton label={t('lightbox.close')} side="bottom" icon={<X />} />}
      />
    </div>
  );
}

/** Finds the button in the message list that opens an image. */
function findOpenButton(id: string): HTMLElement | null {
  return document.querySelector(`[data-image="${CSS.escape(id)}"]`);
}

function fileName(src: string): string {
  return new URL(src, window.location.href).pathname.split('/').at(-1) ?? '';
}
