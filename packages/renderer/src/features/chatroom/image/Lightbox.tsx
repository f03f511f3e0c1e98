import { Dialog } from '@base-ui/react/dialog';
import {
  ChevronLeft,
  ChevronRight,
  Download,
  ExternalLink,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './Lightbox.module.css';

interface LightboxProps {
  /** Identifies the image. The button that opens the image has this id as `data-image`. */
  id: string;
  src: string;
  alt: string;
  /** Displayed sender. */
  sender: string;
  /** Displayed time of sending. */
  sentAt: string;
  /** The image's position, starting at 1. */
  place: { current: number; total: number };
  /** Shows the previous image; undefined for the first one. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

interface View {
  /** 1 fits the window. */
  zoom: number;
  /** Offset of the image's center, in pixels. */
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

const FIT: View = { zoom: 1, x: 0, y: 0 };
const CENTER: Point = { x: 0, y: 0 };
const ZOOM_MAX = 8;
const ZOOM_STEP = 1.5;
const MOVE_STEP = 60;

/** Minimum distance of a swipe, in pixels. */
const SWIPE_MIN = 70;
/** Maximum pointer movement during a click, in pixels. */
const CLICK_SLOP = 10;

/**
 * An image in the full window. It is zoomed by wheel, keys (+, −, 0), buttons and double click, and moved by
 * dragging and arrow keys. While it is not zoomed, arrow keys and horizontal swipes show the adjacent images,
 * and a swipe down closes it.
 */
export function Lightbox(props: LightboxProps) {
  const { id, src, alt, sender, sentAt, place, onPrevious, onNext, onClose } = props;
  const { t } = useTranslation();
  const [view, setView] = useState(FIT);
  /** Offset of the image during a swipe, while it is not zoomed. */
  const [swipeOffset, setSwipeOffset] = useState<Point>();
  const image = useRef<HTMLImageElement>(null);
  const dragging = useRef<Point | undefined>(undefined);
  const start = useRef(CENTER);
  const hasMoved = useRef(false);
  // Determined on pointer down. The stage captures the pointer, so the click event always targets the stage.
  const isOnImage = useRef(false);
  // Ignores the second click of the double click that opened the image.
  const hasBeenClicked = useRef(false);

  const [shownId, setShownId] = useState(id);
  if (shownId !== id) {
    setShownId(id);
    setView(FIT);
  }

  // Limits the offset so that the image always covers the center of the window.
  const change = (to: (before: View) => View): void =>
    setView((before) => {
      const { zoom, x, y } = to(before);
      if (zoom === 1) return FIT;
      const { offsetWidth = 0, offsetHeight = 0 } = image.current ?? {};
      const [right, bottom] = [(offsetWidth * zoom) / 2, (offsetHeight * zoom) / 2];
      return {
        zoom,
        x: Math.min(right, Math.max(-right, x)),
        y: Math.min(bottom, Math.max(-bottom, y)),
      };
    });
  /** Zooms around a point, which is relative to the window's center. */
  const zoomBy = (factor: number, at = CENTER): void =>
    change((before) => {
      const zoom = Math.min(ZOOM_MAX, Math.max(1, before.zoom * factor));
      const ratio = zoom / before.zoom;
      return { zoom, x: at.x - (at.x - before.x) * ratio, y: at.y - (at.y - before.y) * ratio };
    });
  const moveBy = (x: number, y: number): void =>
    change((before) => ({ ...before, x: before.x + x, y: before.y + y }));

  const isZoomed = view.zoom > 1;

  const handleKeyDown = (event: KeyboardEvent): void => {
    const actions: Record<string, () => void> = {
      '+': () => zoomBy(ZOOM_STEP),
      '=': () => zoomBy(ZOOM_STEP),
      '-': () => zoomBy(1 / ZOOM_STEP),
      '0': () => setView(FIT),
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

  const handlePointerMove = (event: PointerEvent): void => {
    if (!dragging.current) return;
    const distance = { x: event.clientX - start.current.x, y: event.clientY - start.current.y };
    if (Math.hypot(distance.x, distance.y) > CLICK_SLOP) hasMoved.current = true;
    if (isZoomed) moveBy(event.clientX - dragging.current.x, event.clientY - dragging.current.y);
    // Mouse users have buttons and keys instead of swipes.
    else if (event.pointerType !== 'mouse') setSwipeOffset(toSwipeOffset(distance));
    dragging.current = { x: event.clientX, y: event.clientY };
  };

  const endSwipe = (): void => {
    setSwipeOffset(undefined);
    if (!swipeOffset) return;
    if (swipeOffset.y > SWIPE_MIN) onClose();
    else if (swipeOffset.x > SWIPE_MIN) onPrevious?.();
    else if (swipeOffset.x < -SWIPE_MIN) onNext?.();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup
          className={css.popup}
          onKeyDown={handleKeyDown}
          finalFocus={() => findOpenButton(id) ?? true}
        >
          <Dialog.Title className="visually-hidden">{t('lightbox.title')}</Dialog.Title>
          <LightboxToolbar
            src={src}
            sender={sender}
            sentAt={sentAt}
            zoom={view.zoom}
            onZoomBy={zoomBy}
          />
          {/* The buttons and keys provide the same actions. */}
          <div
            className={css.stage}
            role="presentation"
            data-zoomed={isZoomed || undefined}
            data-several={place.total > 1 || undefined}
            onWheel={(event) => zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, pointOf(event))}
            onDoubleClick={(event) => {
              if (!hasBeenClicked.current) return;
              if (isZoomed) setView(FIT);
              else zoomBy(2.5, pointOf(event));
            }}
            onPointerDown={(event) => {
              // Other buttons open the context menu, after which there is no pointer up event.
              if (event.button !== 0) return;
              isOnImage.current = event.target !== event.currentTarget;
              start.current = { x: event.clientX, y: event.clientY };
              dragging.current = start.current;
              hasMoved.current = false;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={handlePointerMove}
            onPointerUp={endSwipe}
            onLostPointerCapture={() => {
              dragging.current = undefined;
              setSwipeOffset(undefined);
            }}
            onClick={({ detail }) => {
              if (detail === 1) hasBeenClicked.current = true;
              if (!hasBeenClicked.current || isOnImage.current || hasMoved.current) return;
              if (!isZoomed) onClose();
            }}
          >
            <img
              ref={image}
              className={css.image}
              src={src}
              alt={alt}
              draggable={false}
              style={{
                transform: `translate(${swipeOffset?.x ?? view.x}px, ${swipeOffset?.y ?? view.y}px) scale(${view.zoom})`,
              }}
            />
          </div>
          {place.total > 1 && (
            <>
              <IconButton
                className={css.previous}
                label={t('lightbox.previous')}
                side="right"
                icon={<ChevronLeft aria-hidden="true" />}
                aria-disabled={!onPrevious || undefined}
                onClick={onPrevious}
              />
              <output className={css.position}>{t('lightbox.place', place)}</output>
              <IconButton
                className={css.next}
                label={t('lightbox.next')}
                side="left"
                icon={<ChevronRight aria-hidden="true" />}
                aria-disabled={!onNext || undefined}
                onClick={onNext}
              />
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface LightboxToolbarProps {
  src: string;
  sender: string;
  sentAt: string;
  zoom: number;
  onZoomBy: (factor: number) => void;
}

function LightboxToolbar({ src, sender, sentAt, zoom, onZoomBy }: LightboxToolbarProps) {
  const { t } = useTranslation();
  return (
    <div className={css.bar}>
      <p className={css.about}>
        <bdi className={css.sender}>{sender}</bdi>
        <span className={css.date}>{sentAt}</span>
      </p>
      <IconButton
        label={t('lightbox.zoomOut')}
        side="bottom"
        icon={<ZoomOut aria-hidden="true" />}
        disabled={zoom <= 1}
        onClick={() => onZoomBy(1 / ZOOM_STEP)}
      />
      <IconButton
        label={t('lightbox.zoomIn')}
        side="bottom"
        icon={<ZoomIn aria-hidden="true" />}
        disabled={zoom >= ZOOM_MAX}
        onClick={() => onZoomBy(ZOOM_STEP)}
      />
      <a
        className={css.link}
        href={src}
        download={fileName(src)}
        aria-label={t('lightbox.download')}
        title={t('lightbox.download')}
      >
        <Download aria-hidden="true" />
      </a>
      <a
        className={css.link}
        href={src}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t('lightbox.open')}
        title={t('lightbox.open')}
      >
        <ExternalLink aria-hidden="true" />
      </a>
      <Dialog.Close
        render={
          <IconButton label={t('lightbox.close')} side="bottom" icon={<X aria-hidden="true" />} />
        }
      />
    </div>
  );
}

/** Returns the mouse position relative to the window's center. */
function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX - window.innerWidth / 2, y: clientY - window.innerHeight / 2 };
}

/** Restricts a swipe to one direction: horizontal or down. */
function toSwipeOffset({ x, y }: Point): Point {
  return Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y: Math.max(0, y) };
}

/** Finds the button in the message list that opens an image. */
function findOpenButton(id: string): HTMLElement | null {
  return document.querySelector(`[data-image="${CSS.escape(id)}"]`);
}

function fileName(src: string): string {
  return new URL(src, window.location.href).pathname.split('/').at(-1) ?? '';
}
