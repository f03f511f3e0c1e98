import { Dialog } from '@base-ui/react/dialog';
import { ExternalLink, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import css from './Lightbox.module.css';

interface LightboxProps {
  src: string;
  alt: string;
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

/** A picture over the whole window: zoom by wheel, keys (+, −, 0), buttons and double click, move by dragging and arrow keys. */
export function Lightbox({ src, alt, onClose }: LightboxProps) {
  const { t } = useTranslation();
  const [view, setView] = useState(FIT);
  const picture = useRef<HTMLImageElement>(null);
  const dragging = useRef<Point | undefined>(undefined);
  // Asked when the pointer goes down: as the stage captures it, the click itself always comes from the stage.
  const isOnPicture = useRef(false);
  // Of the double click that opened the picture, the second is not for it.
  const hadFirstClick = useRef(false);

  // Some of it is always in the middle of the window: it cannot be lost beyond an edge.
  const change = (to: (before: View) => View): void =>
    setView((before) => {
      const { zoom, x, y } = to(before);
      if (zoom === 1) return FIT;
      const { offsetWidth = 0, offsetHeight = 0 } = picture.current ?? {};
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

  const onKeyDown = (event: KeyboardEvent): void => {
    const actions: Record<string, () => void> = {
      '+': () => zoomBy(ZOOM_STEP),
      '=': () => zoomBy(ZOOM_STEP),
      '-': () => zoomBy(1 / ZOOM_STEP),
      '0': () => setView(FIT),
      ArrowLeft: () => moveBy(MOVE_STEP, 0),
      ArrowRight: () => moveBy(-MOVE_STEP, 0),
      ArrowUp: () => moveBy(0, MOVE_STEP),
      ArrowDown: () => moveBy(0, -MOVE_STEP),
    };
    const action = event.ctrlKey || event.metaKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const onPointerMove = (event: PointerEvent): void => {
    if (!dragging.current) return;
    moveBy(event.clientX - dragging.current.x, event.clientY - dragging.current.y);
    dragging.current = { x: event.clientX, y: event.clientY };
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup} onKeyDown={onKeyDown}>
          <Dialog.Title className="visually-hidden">{t('lightbox.title')}</Dialog.Title>
          <div className={css.bar}>
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
            data-zoomed={view.zoom > 1 || undefined}
            onWheel={(event) => zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, pointOf(event))}
            onDoubleClick={(event) => {
              if (!hadFirstClick.current) return;
              if (view.zoom > 1) setView(FIT);
              else zoomBy(2.5, pointOf(event));
            }}
            onPointerDown={(event) => {
              // The others open the browser's menu, after which nobody tells that they were let go.
              if (event.button !== 0) return;
              isOnPicture.current = event.target !== event.currentTarget;
              dragging.current = { x: event.clientX, y: event.clientY };
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={onPointerMove}
            onLostPointerCapture={() => {
              dragging.current = undefined;
            }}
            onClick={({ detail }) => {
              if (detail === 1) hadFirstClick.current = true;
              if (hadFirstClick.current && !isOnPicture.current && view.zoom === 1) onClose();
            }}
          >
            <img
              ref={picture}
              className={css.image}
              src={src}
              alt={alt}
              draggable={false}
              style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Where the mouse is, counted from the middle of the window. */
function pointOf({ clientX, clientY }: MouseEvent): Point {
  return { x: clientX - window.innerWidth / 2, y: clientY - window.innerHeight / 2 };
}
