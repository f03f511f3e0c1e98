import type { SvgElement } from './parse-svg.ts';
import { INHERITED } from './vocabulary.ts';

/** Elements drawn where a property references them, but styled by their own ancestors. */
const ISOLATED = new Set(['clipPath', 'mask', 'marker', 'pattern']);

const INITIAL: Readonly<Record<string, string>> = {
  fill: 'black',
  stroke: 'none',
  'stroke-width': '1',
  'stroke-miterlimit': '4',
  'stroke-dasharray': 'none',
  'marker-start': 'none',
  'marker-mid': 'none',
  'marker-end': 'none',
  'font-size': 'medium',
};

/**
 * Writes, in place, the inherited properties of patterns, masks, markers and clip paths into their own
 * attributes. Their cost then does not depend on their ancestors nor, in browsers that copy them
 * together with the target of a `use`, on that `use`. Markers do not inherit markers.
 */
export function isolateTargets(root: SvgElement): void {
  isolate(root, new Map(), false);
}

function isolate(
  { name, attributes, children }: SvgElement,
  inherited: ReadonlyMap<string, string>,
  isCopied: boolean,
): void {
  if (ISOLATED.has(name)) {
    for (const property of INHERITED) {
      if (attributes.has(property)) continue;
      const isMarker = name === 'marker' && property.startsWith('marker');
      const outer = isMarker ? undefined : inherited.get(property);
      const isNeeded = isCopied || inherited.has(property);
      const value = outer ?? (isNeeded ? INITIAL[property] : undefined);
      if (value !== undefined) attributes.set(property, value);
    }
  }
  const own = INHERITED.filter((property) => attributes.has(property));
  const style =
    own.length === 0
      ? inherited
      : new Map([...inherited, ...own.map((p) => [p, attributes.get(p) ?? ''] as const)]);
  for (const child of children) {
    if (typeof child !== 'string') isolate(child, style, isCopied || attributes.has('id'));
  }
}
