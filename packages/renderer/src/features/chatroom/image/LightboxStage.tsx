import { useRef, useState, type ComponentProps, type MouseEvent, type PointerEvent } from 'react';
import { useMediaImage } from '../../../client/use-media-image.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { useDelayed } from '../../../ui/use-delayed.ts';
import { BrokenImage } from './BrokenImage.tsx';
import css from './Lightbox.module.css';
import type { ImageView, Point } from './use-image-view.ts';

interface LightboxStageProps {
  /** The image's URL as in the message. */
  content: string;
  alt: string;
  /** Whether the operator has blocked the image. */
  isBlocked: boolean;
  view: ImageView;
  /** Whether the chatroom has several images. */
  isOneOfSeveral: boolean;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** Minimum distance of a swipe, in pixels. */
const SWIPE_MIN = 70;
/** Maximum pointer movement during a click, in pixels. */
const CLICK_SLOP = 10;
/** Milliseconds before an image that is being loaded shows a spinner. */
const SPINNER_DELAY_MS = 300;

/** The image of the lightbox and its gestures: wheel, click, double click, drag and swipe. */
export function LightboxStage(props: LightboxStageProps) {
  const { content, alt, isBlocked, view, isOneOfSeveral, onPrevious, onNext, onClose } = props;
  const { image, zoom, offset, isZoomed, fit, zoomBy, moveBy } = view;
  /** Offset of the image during a swipe, while it is not zoomed. */
  const [swipeOffset, setSwipeOffset] = useState<Point>();
  const dragging = useRef<Point | undefined>(undefined);
  const start = useRef<Point>({ x: 0, y: 0 });
  const hasMoved = useRef(false);
  // Determined on pointer down. The stage captures the pointer, so the click event always targets the stage.
  const isOnImage = useRef(false);
  // Ignores the second click of the double click that opened the image.
  const hasBeenClicked = useRef(false);

  const handlePointerDown = (event: PointerEvent): void => {
    // Other buttons open the context menu, after which there is no pointer up event.
    if (event.button !== 0) return;
    isOnImage.current = event.target !== event.currentTarget;
    start.current = { x: event.clientX, y: event.clientY };
    dragging.current = start.current;
    hasMoved.current = false;
    event.currentTarget.setPointerCapture(event.pointerId);
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

  const handleDoubleClick = (event: MouseEvent): void => {
    if (!hasBeenClicked.current) return;
    if (isZoomed) fit();
    else zoomBy(2.5, pointOf(event));
  };

  const handleClick = ({ detail }: MouseEvent): void => {
    if (detail === 1) hasBeenClicked.current = true;
    if (!hasBeenClicked.current || isOnImage.current || hasMoved.current) return;
    if (!isZoomed) onClose();
  };

  const { x, y } = swipeOffset ?? offset;
  return (
    // The buttons and keys provide the same actions.
    <div
      className={css.stage}
      role="presentation"
      data-zoomed={isZoomed || undefined}
      data-several={isOneOfSeveral || undefined}
      onWheel={(event) => zoomBy(event.deltaY < 0 ? 1.15 : 1 / 1.15, pointOf(event))}
      onDoubleClick={handleDoubleClick}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onPointerUp={endSwipe}
      onLostPointerCapture={() => {
        dragging.current = undefined;
        setSwipeOffset(undefined);
      }}
      onClick={handleClick}
    >
      {isBlocked ? (
        <span className={css.broken}>
          <BrokenImage isBlocked />
        </span>
      ) : (
        <StageImage
          content={content}
          alt={alt}
          ref={image}
          style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}
        />
      )}
    </div>
  );
}

interface StageImageProps extends Pick<ComponentProps<'img'>, 'alt' | 'style' | 'ref'> {
  content: string;
}

/** An image, or what is shown while it is loading and if that fails. */
function StageImage({ content, alt, ...rest }: StageImageProps) {
  const { state, attributes } = useMediaImage(content, { isLazy: false, isPlayed: true });
  const isSlow = useDelayed(state === 'loading', SPINNER_DELAY_MS);
  if (state === 'broken') {
    return (
      <span className={css.broken}>
        <BrokenImage />
      </span>
    );
  }
  return (
    <>
      {isSlow && <Spinner className={css.spinner} />}
      <img
        {...attributes}
        {...rest}
        className={css.image}
        data-state={state}
        alt={alt}
        draggable={false}
      />
    </>
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
