import { useRef, useState, type RefObject } from 'react';

/** A position in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The zoom and position of an image in the full window. */
export interface ImageView {
  /** 1 fits the window. */
  zoom: number;
  /** Offset of the image's center, in pixels. */
  offset: Point;
  isZoomed: boolean;
  image: RefObject<HTMLImageElement | null>;
  /** Fits the image into the window. */
  fit: () => void;
  /** Zooms around a point, which is relative to the window's center. */
  zoomBy: (factor: number, at?: Point) => void;
  moveBy: (x: number, y: number) => void;
}

interface View extends Point {
  zoom: number;
}

const FIT: View = { zoom: 1, x: 0, y: 0 };
const CENTER: Point = { x: 0, y: 0 };
/** Maximum zoom, relative to the image that fits the window. */
export const ZOOM_MAX = 8;

/** Manages the zoom and position of an image. When `id` changes, fits the new image into the window. */
export function useImageView(id: string): ImageView {
  const [view, setView] = useState(FIT);
  const image = useRef<HTMLImageElement>(null);

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

  return {
    zoom: view.zoom,
    offset: view,
    isZoomed: view.zoom > 1,
    image,
    fit: () => setView(FIT),
    zoomBy: (factor, at = CENTER) =>
      change((before) => {
        const zoom = Math.min(ZOOM_MAX, Math.max(1, before.zoom * factor));
        const ratio = zoom / before.zoom;
        return { zoom, x: at.x - (at.x - before.x) * ratio, y: at.y - (at.y - before.y) * ratio };
      }),
    moveBy: (x, y) => change((before) => ({ ...before, x: before.x + x, y: before.y + y })),
  };
}
