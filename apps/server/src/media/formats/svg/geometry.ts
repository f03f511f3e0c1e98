import type { SvgElement } from './parse-svg.ts';

/** A rectangle in the units of an element. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A transformation `a b c d e f` as in SVG: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Upper bounds of a shape's extent, from which the cost of drawing it is estimated. */
export interface Outline {
  readonly bounds: Bounds;
  readonly length: number;
  /** Points at which a marker can be drawn. */
  readonly vertices: number;
}

/** Pixels per unit. Units that depend on fonts or on the context are missing. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi;

/** Number of arguments of each path command. */
const ARGUMENTS: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};

/** Returns all numbers in a value. */
export function numbersIn(value: string | undefined): number[] {
  return value === undefined ? [] : Array.from(value.matchAll(NUMBER), ([text]) => Number(text));
}

/** Converts a length to pixels. Returns undefined if it depends on the context. */
export function pixels(value: string | undefined, ifMissing = 0): number | undefined {
  if (value === undefined) return ifMissing;
  const text = value.trim().toLowerCase();
  const unit = /[a-z%]*$/.exec(text)?.[0] ?? '';
  const factor = UNITS[unit];
  const number = Number(text.slice(0, text.length - unit.length));
  return factor === undefined || Number.isNaN(number) ? undefined : number * factor;
}

/** Measures a shape. Returns undefined if its outline depends on the context. */
export function outlineOf({ name, attributes }: SvgElement): Outline | undefined {
  const get = (attribute: string) => pixels(attributes.get(attribute));
  if (name === 'path') return pathOutline(attributes.get('d') ?? '');
  if (name === 'polyline' || name === 'polygon') {
    const trace = new Trace();
    const points = numbersIn(attributes.get('points'));
    for (let i = 0; i + 1 < points.length; i += 2) trace.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
    return trace.outline(true);
  }
  if (name === 'line') return boxOutline(get('x1'), get('y1'), get('x2'), get('y2'));
  if (name === 'rect' || name === 'image') {
    const [x, y, width, height] = [get('x'), get('y'), get('width'), get('height')];
    // An image without a size uses its intrinsic one.
    if (name === 'image' && (!width || !height)) return undefined;
    return boxOutline(x, y, sum(x, width), sum(y, height));
  }
  const radius = get('r') ?? Number.NaN;
  const [rx, ry] = name === 'circle' ? [radius, radius] : [get('rx'), get('ry')];
  const [cx, cy] = [get('cx'), get('cy')];
  return boxOutline(sum(cx, rx, -1), sum(cy, ry, -1), sum(cx, rx), sum(cy, ry));
}

function sum(a: number | undefined, b: number | undefined, sign = 1): number | undefined {
  return a === undefined || b === undefined ? undefined : a + sign * b;
}

function boxOutline(...sides: (number | undefined)[]): Outline | undefined {
  const trace = new Trace();
  const [x1, y1, x2, y2] = sides;
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
    return undefined;
  trace.lineTo(x1, y1);
  trace.lineTo(x2, y1);
  trace.lineTo(x2, y2);
  trace.lineTo(x1, y2);
  return trace.outline(true);
}

/**
 * Measures a path by its control points; a curve is never longer than their polygon and stays within
 * their bounds.
 */
class Trace {
  x = 0;
  y = 0;
  #left = Infinity;
  #top = Infinity;
  #right = -Infinity;
  #bottom = -Infinity;
  #length = 0;
  #vertices = 0;
  #start: readonly [number, number] = [0, 0];

  moveTo(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.#start = [x, y];
    this.#vertices += 1;
    this.#include(x, y, 0);
  }

  lineTo(x: number, y: number, margin = 0): void {
    if (this.#vertices === 0) {
      this.moveTo(x, y);
      return;
    }
    this.#length += Math.hypot(x - this.x, y - this.y) + margin * 4;
    this.#include(x, y, margin);
    this.x = x;
    this.y = y;
    this.#vertices += 1;
  }

  close(): void {
    this.lineTo(...this.#start);
  }

  outline(isClosed: boolean): Outline {
    if (isClosed && this.#vertices > 0) this.close();
    return {
      bounds: { left: this.#left, top: this.#top, right: this.#right, bottom: this.#bottom },
      length: this.#length,
      vertices: this.#vertices,
    };
  }

  #include(x: number, y: number, margin: number): void {
    this.#left = Math.min(this.#left, x - margin, this.x - margin);
    this.#top = Math.min(this.#top, y - margin, this.y - margin);
    this.#right = Math.max(this.#right, x + margin, this.x + margin);
    this.#bottom = Math.max(this.#bottom, y + margin, this.y + margin);
  }
}

function pathOutline(d: string): Outline {
  const trace = new Trace();
  const reader = new PathReader(d);
  for (let command = reader.command(); command !== undefined; command = reader.command()) {
    const kind = command.toLowerCase();
    const { x: fromX, y: fromY } = trace;
    const [dx, dy] = command === kind ? [fromX, fromY] : [0, 0];
    if (kind === 'z') {
      trace.close();
      reader.reach = 0;
      continue;
    }
    const values = reader.values(kind);
    if (values === undefined) break;
    const at = (i: number) => values[i] ?? 0;
    if (kind === 'm') trace.moveTo(at(0) + dx, at(1) + dy);
    else if (kind === 'h') trace.lineTo(at(0) + dx, trace.y);
    else if (kind === 'v') trace.lineTo(trace.x, at(0) + dy);
    else if (kind === 'a') {
      const [x, y] = [at(5) + dx, at(6) + dy];
      // Radii that are too small are scaled up until the arc reaches its end.
      const radius = Math.max(
        Math.abs(at(0)),
        Math.abs(at(1)),
        Math.hypot(x - trace.x, y - trace.y),
      );
      trace.lineTo(x, y, 2 * radius);
    } else {
      // A smooth curve's reflected control point is as far away as the previous one.
      const margin = kind === 's' || kind === 't' ? reader.reach : 0;
      for (let i = 0; i + 1 < values.length; i += 2)
        trace.lineTo(at(i) + dx, at(i + 1) + dy, margin);
    }
    reader.reach = controlPointDistance(
      kind,
      values,
      reader.reach,
      Math.hypot(trace.x - fromX, trace.y - fromY),
    );
  }
  return trace.outline(false);
}

/**
 * Returns the distance between the last control point of a command and its end.
 * @param before the same distance for the previous command.
 * @param distance from the start of the command to its end.
 */
function controlPointDistance(
  kind: string,
  values: readonly number[],
  before: number,
  distance: number,
): number {
  if (kind === 't') return before + distance;
  if (kind !== 'c' && kind !== 's' && kind !== 'q') return 0;
  const [cx = 0, cy = 0, x = 0, y = 0] = values.slice(-4);
  return Math.hypot(cx - x, cy - y);
}

/** Reads the commands of a path. As in browsers, the path ends at the first error. */
class PathReader {
  reach = 0;
  readonly #d: string;
  #at = 0;
  #last: string | undefined;
  readonly #token = /[\s,]*(?:([mzlhvcsqta])|(?=[\d.+-]))/iy;
  readonly #number = /[\s,]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/iy;
  readonly #flag = /[\s,]*([01])/y;

  constructor(d: string) {
    this.#d = d;
  }

  /** Returns the next command; the previous one is repeated if none is given. */
  command(): string | undefined {
    this.#token.lastIndex = this.#at;
    const match = this.#token.exec(this.#d);
    if (match === null) return undefined;
    this.#at = this.#token.lastIndex;
    if (match[1] === undefined) {
      if (this.#last === undefined || /z/i.test(this.#last)) return undefined;
      return this.#last;
    }
    // Further coordinates after a move draw lines.
    this.#last = match[1] === 'm' ? 'l' : match[1] === 'M' ? 'L' : match[1];
    return match[1];
  }

  values(kind: string): number[] | undefined {
    const values: number[] = [];
    for (let i = 0; i < (ARGUMENTS[kind] ?? 0); i += 1) {
      const pattern = kind === 'a' && (i === 3 || i === 4) ? this.#flag : this.#number;
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#d);
      if (match === null) return undefined;
      this.#at = pattern.lastIndex;
      values.push(Number(match[1]));
    }
    return values;
  }
}

const TRANSFORM = /(\w+) ?\(([^)]*)\)/g;

/** Allowed numbers of arguments of each transform function. */
const TRANSFORM_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  translate: [1, 2],
  scale: [1, 2],
  rotate: [1, 3],
  skewX: [1],
  skewY: [1],
  matrix: [6],
};

/** Parses a `transform` attribute. Returns undefined for a value that browsers may reject. */
export function readTransform(value: string): Matrix | undefined {
  if (!/^(?:# ?,? ?)*$/.test(value.replace(TRANSFORM, '#')) || value.endsWith(','))
    return undefined;
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, name = '', list = ''] of value.matchAll(TRANSFORM)) {
    const values = numbersIn(list);
    const isListed = /^ ?#(?: ?,? ?#)* ?$/.test(list.replace(NUMBER, '#'));
    const isComplete = TRANSFORM_ARGUMENTS[name]?.includes(values.length) ?? false;
    if (!isListed || !isComplete || /\.(?!\d)/.test(list)) return undefined;
    matrix = multiply(matrix, toMatrix(name.toLowerCase(), values));
  }
  return matrix;
}

function toMatrix(name: string, [a = 0, b, c = 0, d = 0, e = 0, f = 0]: number[]): Matrix {
  const turn = (a * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  switch (name) {
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0];
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0];
    case 'rotate': {
      const [x, y] = [b ?? 0, c];
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    case 'skewx':
      return [1, 0, Math.tan(turn), 1, 0, 0];
    case 'skewy':
      return [1, Math.tan(turn), 0, 1, 0, 0];
    default:
      return [a, b ?? 0, c, d, e, f];
  }
}

/** Returns the transformation that applies `n` first, then `m`. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/** Returns the bounding box of transformed bounds. */
export function transformBounds({ left, top, right, bottom }: Bounds, m: Matrix): Bounds {
  const [ax, bx, ay, by] = [m[0] * left, m[0] * right, m[2] * top, m[2] * bottom];
  const [cx, dx, cy, dy] = [m[1] * left, m[1] * right, m[3] * top, m[3] * bottom];
  return {
    left: Math.min(ax, bx) + Math.min(ay, by) + m[4],
    right: Math.max(ax, bx) + Math.max(ay, by) + m[4],
    top: Math.min(cx, dx) + Math.min(cy, dy) + m[5],
    bottom: Math.max(cx, dx) + Math.max(cy, dy) + m[5],
  };
}
