/** The place that a context menu is aligned with. */
export interface MenuAnchor {
  getBoundingClientRect: () => DOMRect;
  /** The element with which the place moves. */
  contextElement?: Element;
}

interface Point {
  x: number;
  y: number;
}

/** Share of the window's height from which an area is too tall for a menu above or below it. */
const TALL = 0.5;

/** Returns an anchor at a point of the window, such as the position of the pointer. */
export function pointAnchor({ x, y }: Point): MenuAnchor {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}

/** Returns an anchor at the visible part of an element. If that is tall, the anchor is the given point or its center. */
export function areaAnchor(area: Element, point?: Point): MenuAnchor {
  return {
    contextElement: area,
    getBoundingClientRect() {
      const { left, right, top, bottom } = area.getBoundingClientRect();
      const start = Math.max(0, top);
      const height = Math.max(0, Math.min(window.innerHeight, bottom) - start);
      if (height <= window.innerHeight * TALL)
        return new DOMRect(left, start, right - left, height);
      const { x, y } = point ?? { x: (left + right) / 2, y: start + height / 2 };
      return new DOMRect(x, y, 0, 0);
    },
  };
}
