import { TooComplexMedia } from '../byte-source.ts';
import type { EmbeddedPixels } from './embedded-images.ts';
import {
  multiply,
  outlineOf,
  pixels,
  readTransform,
  transformBounds,
  type Bounds,
  type Matrix,
} from './geometry.ts';
import { DEPTH_MAX, type SvgElement } from './parse-svg.ts';
import { referencedName, type Targets } from './references.ts';
import { INHERITED, REFERENCED_ONLY, SHAPES, TEXT_ELEMENTS } from './vocabulary.ts';

/** The maximum costs of an SVG after following every reference. */
const BUDGET = {
  /** Elements that are drawn or referenced. */
  elements: 20_000,
  /** Characters of attributes, counted each time their element is drawn. */
  data: 20_000_000,
  /** Points of shapes. */
  points: 250_000,
  characters: 20_000,
  dashes: 200_000,
  /** How many times the whole image is painted over. */
  layers: 500,
  /** Filter steps, counted each time another step uses their result. */
  filterSteps: 5_000,
  /** Pixels of embedded images, counted each time one is drawn. */
  pixels: 50_000_000,
};

type Costs = { -readonly [Key in keyof typeof BUDGET]: number };

const NO_COSTS: Costs = {
  elements: 0,
  data: 0,
  points: 0,
  characters: 0,
  dashes: 0,
  layers: 0,
  filterSteps: 0,
  pixels: 0,
};

/** Number of dashes assumed for a stroke whose length depends on more than the shape itself. */
const DASHES_UNKNOWN = 100_000;

/** Cost relative to painting the same area once in a single color. */
const WEIGHT = { shader: 2, stroke: 0.5, mask: 2, filterStep: 2, image: 2 };

/** The part of the outermost user space that can be visible. */
export interface View {
  readonly bounds: Bounds;
  /** In square units. */
  readonly area: number;
}

interface DrawContext {
  readonly depth: number;
  /** From the element's units to the outermost ones; undefined if unknown. */
  readonly matrix: Matrix | undefined;
  /** Values of the inherited properties. */
  readonly style: Map<string, string>;
}

/** Elements drawn in the units of the referencing element unless this attribute specifies others. */
const CONTENT_UNITS: Readonly<Record<string, string>> = {
  clipPath: 'clipPathUnits',
  mask: 'maskContentUnits',
};

const TWO_INPUTS = new Set(['feBlend', 'feComposite']);

const ROOT_CONTEXT: DrawContext = { depth: 0, matrix: [1, 0, 0, 1, 0, 0], style: new Map() };

/**
 * Simulates drawing a simplified tree, following every reference as browsers do. Estimates are never
 * too low.
 * @throws {TooComplexMedia} as soon as a cost exceeds its budget or references form a cycle.
 */
export function assertAffordable(
  root: SvgElement,
  targets: Targets,
  embedded: EmbeddedPixels,
  view: View,
): void {
  const costs = { ...NO_COSTS };

  function spend(kind: keyof Costs, amount: number): void {
    costs[kind] += Number.isNaN(amount) ? BUDGET[kind] : Math.max(0, amount);
    if (costs[kind] > BUDGET[kind]) throw new TooComplexMedia(`too many ${kind}`);
  }

  /** Runs `work`, which spends from the budget, and returns what it spent. */
  function costOf(work: () => void): Costs {
    const before = { ...costs };
    work();
    const cost = { ...NO_COSTS };
    for (const key of keys(cost)) cost[key] = costs[key] - before[key];
    return cost;
  }

  /** Returns the share of the image that bounds cover, 0 to 1. */
  function coverage(bounds: Bounds | undefined, matrix: Matrix | undefined, margin = 0): number {
    if (bounds === undefined || matrix === undefined) return 1;
    if (bounds.left > bounds.right) return 0;
    const { left, top, right, bottom } = bounds;
    const enlarged = {
      left: left - margin,
      top: top - margin,
      right: right + margin,
      bottom: bottom + margin,
    };
    const seen = transformBounds(enlarged, matrix);
    const width = Math.min(seen.right, view.bounds.right) - Math.max(seen.left, view.bounds.left);
    const height = Math.min(seen.bottom, view.bounds.bottom) - Math.max(seen.top, view.bounds.top);
    const share = (Math.max(0, width) * Math.max(0, height)) / view.area;
    return Number.isNaN(share) ? 1 : Math.min(1, share);
  }

  function drawChildren(element: SvgElement, context: DrawContext): void {
    for (const child of element.children) {
      if (typeof child !== 'string') draw(child, context);
      else if (TEXT_ELEMENTS.has(element.name)) drawText(child, context);
    }
  }

  /** Draws the element that a value references. */
  function drawTarget(value: string | undefined, { depth, matrix }: DrawContext): void {
    const name = referencedName(value) ?? (value?.startsWith('#') ? value.slice(1) : undefined);
    const target = name === undefined ? undefined : targets.get(name);
    if (target === undefined) return;
    // All other elements have their own units.
    const units = CONTENT_UNITS[target.name];
    const usesOuterUnits =
      units !== undefined && target.attributes.get(units) !== 'objectBoundingBox';
    draw(
      target,
      { ...ROOT_CONTEXT, depth: depth + 1, matrix: usesOuterUnits ? matrix : undefined },
      true,
    );
  }

  function draw(element: SvgElement, outer: DrawContext, isReferenced = false): void {
    const { name, attributes } = element;
    if (outer.depth > DEPTH_MAX) throw new TooComplexMedia('nested too deeply');
    spend('elements', 1);
    for (const value of attributes.values()) spend('data', value.length);
    if (REFERENCED_ONLY.has(name) && !isReferenced) return;
    if (attributes.get('display') === 'none' && !isReferenced) return;
    const context = childContext(element, outer);

    drawTarget(attributes.get('clip-path'), context);
    const before = costs.layers;
    if (name === 'use') drawUse(element, context);
    else if (SHAPES.has(name)) drawShape(element, context);
    else if (name === 'image') drawImage(element, context);
    else drawChildren(element, context);
    if (name !== 'use') drawTarget(attributes.get('href'), context);
    const painted = Math.min(1, costs.layers - before);
    // Each of these is painted separately and then composited.
    for (const name of ['opacity', 'mix-blend-mode', 'clip-path']) {
      if (attributes.has(name)) spend('layers', painted);
    }
    if (attributes.has('mask')) {
      spend('layers', painted * WEIGHT.mask);
      drawTarget(attributes.get('mask'), context);
    }
    if (attributes.has('filter')) {
      const { elements } = costOf(() => drawTarget(attributes.get('filter'), context));
      spend('layers', elements * WEIGHT.filterStep);
      const filter = targets.get(referencedName(attributes.get('filter')) ?? '');
      if (filter !== undefined) spend('filterSteps', filterSteps(filter));
    }
  }

  function drawUse({ attributes }: SvgElement, context: DrawContext): void {
    const target = targets.get(attributes.get('href')?.slice(1) ?? '');
    if (target === undefined) return;
    const [x, y] = [pixels(attributes.get('x')), pixels(attributes.get('y'))];
    const isKnown = context.matrix !== undefined && x !== undefined && y !== undefined;
    const matrix = isKnown ? multiply(context.matrix, [1, 0, 0, 1, x, y]) : undefined;
    draw(target, { ...context, matrix }, true);
  }

  function drawShape(element: SvgElement, context: DrawContext): void {
    const outline = outlineOf(element);
    const { style, matrix } = context;
    const points = outline?.vertices ?? 4;
    spend('points', points);
    const fill = style.get('fill') ?? 'black';
    if (fill !== 'none') spend('layers', coverage(outline?.bounds, matrix) * weightOf(fill));
    drawTarget(fill, context);
    const stroke = style.get('stroke') ?? 'none';
    if (stroke !== 'none') {
      spend('points', points);
      spend('dashes', dashesOf(element, outline?.length, style));
      const isScaled = !element.attributes.has('vector-effect');
      const margin = isScaled ? strokeExtent(style) : Infinity;
      spend('layers', coverage(outline?.bounds, matrix, margin) * WEIGHT.stroke * weightOf(stroke));
    }
    drawTarget(stroke, context);
    drawMarkers(points, context);
  }

  function drawMarkers(points: number, context: DrawContext): void {
    for (const [property, times] of [
      ['marker-start', 1],
      ['marker-mid', points],
      ['marker-end', 1],
    ] as const) {
      const marker = context.style.get(property);
      if (marker === undefined) continue;
      const cost = costOf(() => drawTarget(marker, context));
      for (const key of keys(cost)) spend(key, cost[key] * (times - 1));
    }
  }

  function drawImage(element: SvgElement, { matrix }: DrawContext): void {
    spend('pixels', embedded.get(element) ?? 0);
    spend('layers', coverage(outlineOf(element)?.bounds, matrix) * WEIGHT.image);
  }

  function drawText(text: string, context: DrawContext): void {
    spend('characters', text.length);
    const size = pixels(context.style.get('font-size'), 16);
    const { matrix, style } = context;
    let share = 1;
    if (size !== undefined && matrix !== undefined) {
      const scale = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
      share = Math.min(1, (text.trim().length * size * size * scale) / view.area);
    }
    for (const paint of [style.get('fill'), style.get('stroke')]) {
      if (paint !== 'none') spend('layers', share * weightOf(paint));
      drawTarget(paint, context);
    }
    const dashes = style.get('stroke-dasharray') ?? 'none';
    const isStroked = (style.get('stroke') ?? 'none') !== 'none';
    if (dashes !== 'none' && isStroked) spend('dashes', text.length * DASHES_UNKNOWN);
  }

  draw(root, ROOT_CONTEXT);
}

/** Returns the context for drawing the children of an element. */
function childContext({ name, attributes }: SvgElement, outer: DrawContext): DrawContext {
  const transform = attributes.get('transform');
  const isMoved = ['transform-origin', 'transform-box'].some((key) => attributes.has(key));
  // Nested svg and symbol elements establish their own coordinate systems.
  const isInner = outer.depth > 0 && (name === 'svg' || name === 'symbol');
  const isUnknown = outer.matrix === undefined || isInner || (isMoved && transform !== undefined);
  const own = INHERITED.filter((property) => attributes.has(property));
  const style = own.length === 0 ? outer.style : new Map(outer.style);
  for (const property of own) style.set(property, attributes.get(property) ?? '');
  let matrix = isUnknown ? undefined : outer.matrix;
  if (matrix !== undefined && transform !== undefined) {
    const moved = readTransform(transform);
    matrix = moved === undefined ? undefined : multiply(matrix, moved);
  }
  return { depth: outer.depth + 1, matrix, style };
}

/** Returns the steps of a filter, assuming that each result is computed again for every use. */
function filterSteps(filter: SvgElement): number {
  const byResult = new Map<string, number>();
  let last = 1;
  const costOf = (input: string | undefined) =>
    input === undefined ? last : (byResult.get(input) ?? 1);
  for (const step of filter.children) {
    if (typeof step === 'string') continue;
    const nodes = step.children.filter((child) => typeof child !== 'string');
    const inputs =
      step.name === 'feMerge'
        ? nodes.map((node) => node.attributes.get('in'))
        : [
            step.attributes.get('in'),
            ...(TWO_INPUTS.has(step.name) ? [step.attributes.get('in2')] : []),
          ];
    last = inputs.reduce((total, input) => total + costOf(input), 1);
    const result = step.attributes.get('result');
    if (result !== undefined) byResult.set(result, last);
  }
  return last;
}

function weightOf(paint: string | undefined): number {
  return referencedName(paint) === undefined ? 1 : WEIGHT.shader;
}

/** Returns how far a stroke extends beyond its path. */
function strokeExtent(style: ReadonlyMap<string, string>): number {
  const width = pixels(style.get('stroke-width'), 1) ?? Infinity;
  return (width / 2) * Math.max(1, pixels(style.get('stroke-miterlimit'), 4) ?? Infinity);
}

function dashesOf(
  { attributes }: SvgElement,
  length: number | undefined,
  style: ReadonlyMap<string, string>,
): number {
  const pattern = style.get('stroke-dasharray') ?? 'none';
  if (pattern === 'none') return 0;
  const dashes = pattern.split(/[\s,]+/).map((value) => pixels(value));
  // Browsers ignore a length that is not positive.
  const given = Number(attributes.get('pathLength'));
  // A non-scaling stroke is dashed in screen pixels.
  const isScaled = !attributes.has('vector-effect');
  const whole = given > 0 ? given : isScaled ? length : undefined;
  if (whole === undefined || dashes.includes(undefined)) return DASHES_UNKNOWN;
  const period = dashes.reduce<number>((total, dash) => total + (dash ?? 0), 0);
  return period > 0 ? (whole / period) * dashes.length : 0;
}

function keys(costs: Costs): (keyof Costs)[] {
  return Object.keys(costs) as (keyof Costs)[];
}
