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
  /** Tells one picture from another; the button that opens it has it as `data-picture`. */
  id: string;
  src: string;
  alt: string;
  /** Who sent it, as the reader is told. */
  sender: string;
  /** When it was sent, as the reader is told. */
  sentAt: string;
  /** Which of how many pictures it is, from 1. */
  place: { current: number; total: number };
  /** Shows the picture before it, if there is one. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

interface View {
  /** 1 fits the window. */
  zoom: number;
  /** Shift of the picture's middle, in pixels. */
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

const FIT: View = { zoom: 1, x: 0, y: 0 };
const MIDDLE: Point = { x: 0, y: 0 };
const ZOOM_MAX = 8;
const ZOOM_STEP = 1.5;
const MOVE_STEP = 60;

/** How far a finger must have moved before it counts as a swipe, in pixels. */
const SWIPE_MIN = 70;
/** How far a pointer may move in a click, in pixels. */
const CLICK_SLOP = 10;

/**
 * A picture over the whole window: zoom by wheel, keys (+, −, 0), buttons and double click, move by
 * dragging and arrow keys. At its first size, the arrow keys and a swipe to the side show the
 * neighbors, and a swipe down closes it.
 */
export function Lightbox(props: LightboxProps) {
  const { id, src, alt, sender, sentAt, place, onPrevious, onNext, onClose } = props;
  const { t } = useTranslation();
  const [view, setView] = useState(FIT);
  /** How far a finger has pulled the picture at its first size. */
  const [pull, setPull] = useState<Point>();
  const image = useRef<HTMLImageElement>(null);
  const dragging = useRef<Point | undefined>(undefined);
  const start = useRef(MIDDLE);
  const hasMoved = useRef(false);
  // Asked when the pointer goes down: as the stage captures it, the click itself always comes from the stage.
  const isOnPicture = useRef(false);
  // Of the double click that opened the picture, the second is not for it.
  const hadFirstClick = useRef(false);

  const [shownId, setShownId] = useState(id);
  if (shownId !== id) {
    setShownId(id);
    setView(FIT);
  }

  // Some of it is always in the middle of the window: it cannot be lost beyond an edge.
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
  /** What is at a point, counted from the window's middle, stays there. */
  const zoomBy = (factor: number, at = MIDDLE): void =>
    change((before) => {
      const zoom = Math.min(ZOOM_MAX, Math.max(1, before.zoom * factor));
      const share = zoom / before.zoom;
      return { zoom, x: at.x - (at.x - before.x) * share, y: at.y - (at.y - before.y) * share };
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
    const way = { x: event.clientX - start.current.x, y: event.clientY - start.current.y };
    if (Math.hypot(way.x, way.y) > CLICK_SLOP) hasMoved.current = true;
    if (isZoomed) moveBy(event.clientX - dragging.current.x, event.clientY - dragging.current.y);
    // A mouse has the buttons and the keys.
    else if (event.pointerType !== 'mouse') setPull(along(way));
    dragging.current = { x: event.clientX, y: event.clientY };
  };

  const endSwipe = (): void => {
    setPull(undefined);
    if (!pull) return;
    if (pull.y > SWIPE_MIN) onClose();
    else if (pull.x > SWIPE_MIN) onPrevious?.();
    else if (pull.x < -SWIPE_MIN) onNext?.();
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup
          className={css.popup}
          onKeyDown={handleKeyDown}
          finalFocus={() => openButtonOf(id) ?? true}
        >
          <Dialog.Title className="visually-hidden">{t('lightbox.title')}</Dialog.Title>
          <div className={css.bar}>
            <p className={css.about}>
              <bdi className={css.sender}>{sender}</bdi>
              <span className={css.date}>{sentAt}</span>
            </p>
            <IconButton
              label={t('lightbox.zoomOut')}
              side="bottom"
              icon={<ZoomOut aria-hidden="true" />}
              disabled={view.zoom <= 1}
              onClick={() => zoomBy(1 / ZOOM_STEP)}
            />
            <IconButton
              label={t('lightbox.zoomIn')}
              side="bottom"
              icon={<ZoomIn aria-hidden="true" />}
              disabled={view.zoom >= ZOOM_MAX}
              onClick={() => zoomBy(ZOOM_STEP)}
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
                <IconButton
                  label={t('lightbox.close')}
                  side="bottom"
                  icon={<X aria-hidden="true" />}
                />
              }
            />
          </div>
          {/* Everything here can be done with the keys and buttons above as well. */}
          <div
            className={css.stage}
            role="presentation"
            data-zoomed={isZoomed || undefined}
            data-several={place.total > 1 || undefined}
            onWheel={(event) => zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, pointOf(event))}
            onDoubleClick={(event) => {
              if (!hadFirstClick.current) return;
              if (isZoomed) setView(FIT);
              else zoomBy(2.5, pointOf(event));
            }}
            onPointerDown={(event) => {
              // The others open the browser's menu, after which nobody tells that they were let go.
              if (event.button !== 0) return;
              isOnPicture.current = event.target !== event.currentTarget;
              start.current = { x: event.clientX, y: event.clientY };
              dragging.current = start.current;
              hasMoved.current = false;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={handlePointerMove}
            onPointerUp={endSwipe}
            onLostPointerCapture={() => {
              dragging.current = undefined;
              setPull(undefined);
            }}
            onClick={({ detail }) => {
              if (detail === 1) hadFirstClick.current = true;
              if (!hadFirstClick.current || isOnPicture.current || hasMoved.current) return;
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
                transform: `translate(${pull?.x ?? view.x}px, ${pull?.y ?? view.y}px) scale(${view.zoom})`,
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
              <output className={css.place}>{t('lightbox.place', place)}</output>
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

/** Where the mouse is, counted from the middle of the window. */
function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX - window.innerWidth / 2, y: clientY - window.innerHeight / 2 };
}

/** A swipe goes one way: to the side or down. */
function along({ x, y }: Point): Point {
  return Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y: Math.max(0, y) };
}

/** What opens a picture in the room, while it is there. */
function openButtonOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-image="${CSS.escape(id)}"]`);
}

function fileName(src: string): string {
  return new URL(src, window.location.href).pathname.split('/').at(-1) ?? '';
}
