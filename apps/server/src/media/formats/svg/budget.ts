import { TooComplexMediaError } from '../byte-source.ts';
import { createDrawingCosts, type DrawingCosts } from './drawing-costs.ts';
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

/** The drawing of an SVG. */
interface Drawing {
  readonly costs: DrawingCosts;
  readonly targets: Targets;
  readonly embedded: EmbeddedPixels;
  readonly view: View;
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
 * @throws {TooComplexMediaError} as soon as a cost exceeds its budget or references form a cycle.
 */
export function assertAffordable(
  root: SvgElement,
  targets: Targets,
  embedded: EmbeddedPixels,
  view: View,
): void {
  draw({ costs: createDrawingCosts(), targets, embedded, view }, root, ROOT_CONTEXT);
}

function draw(
  drawing: Drawing,
  element: SvgElement,
  outer: DrawContext,
  isReferenced = false,
): void {
  const { name, attributes } = element;
  const { costs } = drawing;
  if (outer.depth > DEPTH_MAX) throw new TooComplexMediaError('nested too deeply');
  costs.spend('elements', 1);
  for (const value of attributes.values()) costs.spend('data', value.length);
  if (REFERENCED_ONLY.has(name) && !isReferenced) return;
  if (attributes.get('display') === 'none' && !isReferenced) return;
  const context = childContext(element, outer);

  drawTarget(drawing, attributes.get('clip-path'), context);
  const { layers } = costs.costOf(() => drawContent(drawing, element, context));
  drawEffects(drawing, element, context, Math.min(1, layers));
}

/** Draws an element without its effects. */
function drawContent(drawing: Drawing, element: SvgElement, context: DrawContext): void {
  const { name, attributes } = element;
  if (name === 'use') drawUse(drawing, element, context);
  else if (SHAPES.has(name)) drawShape(drawing, element, context);
  else if (name === 'image') drawImage(drawing, element, context);
  else drawChildren(drawing, element, context);
  if (name !== 'use') drawTarget(drawing, attributes.get('href'), context);
}

/**
 * Draws the effects that apply to an element as a whole.
 * @param painted the layers of the element, at most 1
 */
function drawEffects(
  drawing: Drawing,
  { attributes }: SvgElement,
  context: DrawContext,
  painted: number,
): void {
  const { costs, targets } = drawing;
  // Each of these is painted separately and then composited.
  for (const name of ['opacity', 'mix-blend-mode', 'clip-path']) {
    if (attributes.has(name)) costs.spend('layers', painted);
  }
  if (attributes.has('mask')) {
    costs.spend('layers', painted * WEIGHT.mask);
    drawTarget(drawing, attributes.get('mask'), context);
  }
  if (attributes.has('filter')) {
    const drawFilter = () => drawTarget(drawing, attributes.get('filter'), context);
    const { elements } = costs.costOf(drawFilter);
    costs.spend('layers', elements * WEIGHT.filterStep);
    const filter = targets.get(referencedName(attributes.get('filter')) ?? '');
    if (filter !== undefined) costs.spend('filterSteps', filterSteps(filter));
  }
}

function drawChildren(drawing: Drawing, element: SvgElement, context: DrawContext): void {
  for (const child of element.children) {
    if (typeof child !== 'string') draw(drawing, child, context);
    else if (TEXT_ELEMENTS.has(element.name)) drawText(drawing, child, context);
  }
}

/** Draws the element that a value references. */
function drawTarget(
  drawing: Drawing,
  value: string | undefined,
  { depth, matrix }: DrawContext,
): void {
  const name = referencedName(value) ?? (value?.startsWith('#') ? value.slice(1) : undefined);
  const target = name === undefined ? undefined : drawing.targets.get(name);
  if (target === undefined) return;
  // All other elements have their own units.
  const units = CONTENT_UNITS[target.name];
  const usesOuterUnits =
    units !== undefined && target.attributes.get(units) !== 'objectBoundingBox';
  const context = {
    ...ROOT_CONTEXT,
    depth: depth + 1,
    matrix: usesOuterUnits ? matrix : undefined,
  };
  draw(drawing, target, context, true);
}

function drawUse(drawing: Drawing, { attributes }: SvgElement, context: DrawContext): void {
  const target = drawing.targets.get(attributes.get('href')?.slice(1) ?? '');
  if (target === undefined) return;
  const [x, y] = [pixels(attributes.get('x')), pixels(attributes.get('y'))];
  const isKnown = context.matrix !== undefined && x !== undefined && y !== undefined;
  const matrix = isKnown ? multiply(context.matrix, [1, 0, 0, 1, x, y]) : undefined;
  draw(drawing, target, { ...context, matrix }, true);
}

function drawShape(drawing: Drawing, element: SvgElement, context: DrawContext): void {
  const { costs, view } = drawing;
  const outline = outlineOf(element);
  const { style, matrix } = context;
  const points = outline?.vertices ?? 4;
  costs.spend('points', points);
  const fill = style.get('fill') ?? 'black';
  if (fill !== 'none') {
    costs.spend('layers', coverage(view, outline?.bounds, matrix) * weightOf(fill));
  }
  drawTarget(drawing, fill, context);
  const stroke = style.get('stroke') ?? 'none';
  if (stroke !== 'none') {
    costs.spend('points', points);
    costs.spend('dashes', dashesOf(element, outline?.length, style));
    const isScaled = !element.attributes.has('vector-effect');
    const margin = isScaled ? strokeExtent(style) : Infinity;
    const share = coverage(view, outline?.bounds, matrix, margin);
    costs.spend('layers', share * WEIGHT.stroke * weightOf(stroke));
  }
  drawTarget(drawing, stroke, context);
  drawMarkers(drawing, points, context);
}

function drawMarkers(drawing: Drawing, points: number, context: DrawContext): void {
  for (const [property, times] of [
    ['marker-start', 1],
    ['marker-mid', points],
    ['marker-end', 1],
  ] as const) {
    const marker = context.style.get(property);
    if (marker === undefined) continue;
    drawing.costs.repeat(times, () => drawTarget(drawing, marker, context));
  }
}

function drawImage(
  { costs, embedded, view }: Drawing,
  element: SvgElement,
  { matrix }: DrawContext,
): void {
  costs.spend('pixels', embedded.get(element) ?? 0);
  costs.spend('layers', coverage(view, outlineOf(element)?.bounds, matrix) * WEIGHT.image);
}

function drawText(drawing: Drawing, text: string, context: DrawContext): void {
  const { costs, view } = drawing;
  costs.spend('characters', text.length);
  const size = pixels(context.style.get('font-size'), 16);
  const { matrix, style } = context;
  let share = 1;
  if (size !== undefined && matrix !== undefined) {
    const scale = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
    share = Math.min(1, (text.trim().length * size * size * scale) / view.area);
  }
  for (const paint of [style.get('fill'), style.get('stroke')]) {
    if (paint !== 'none') costs.spend('layers', share * weightOf(paint));
    drawTarget(drawing, paint, context);
  }
  const dashes = style.get('stroke-dasharray') ?? 'none';
  const isStroked = (style.get('stroke') ?? 'none') !== 'none';
  if (dashes !== 'none' && isStroked) costs.spend('dashes', text.length * DASHES_UNKNOWN);
}

/**
 * Returns the share of the image that bounds cover, 0 to 1.
 * @param margin enlarges the bounds on all sides
 */
function coverage(
  view: View,
  bounds: Bounds | undefined,
  matrix: Matrix | undefined,
  margin = 0,
): number {
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
