import type { SvgElement } from './parse-svg.ts';
import { SHAPES } from './vocabulary.ts';

/** Referenced elements by their new names. */
export type Targets = ReadonlyMap<string, SvgElement>;

const GRADIENTS = ['linearGradient', 'radialGradient'];
const PAINT = new Set([...GRADIENTS, 'pattern']);

/** The elements that each property may reference. A paint may have a fallback after the reference. */
const PROPERTY_TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
  fill: PAINT,
  stroke: PAINT,
  'clip-path': new Set(['clipPath']),
  mask: new Set(['mask']),
  filter: new Set(['filter']),
  'marker-start': new Set(['marker']),
  'marker-mid': new Set(['marker']),
  'marker-end': new Set(['marker']),
};

const LINK_TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
  use: new Set(['svg', 'g', 'a', 'switch', 'use', 'symbol', 'image', 'text', ...SHAPES]),
  textPath: SHAPES,
  pattern: new Set(['pattern']),
  linearGradient: new Set(GRADIENTS),
  radialGradient: new Set(GRADIENTS),
};

const URL_REFERENCE = /^url\((["']?)#(.+?)\1\)(?: (.*))?$/i;

/** Returns the name that a property's value references, or undefined. */
export function referencedName(value: string | undefined): string | undefined {
  return value === undefined ? undefined : URL_REFERENCE.exec(value)?.[2];
}

/**
 * Gives referenced elements neutral names, in place, and removes references to missing elements or
 * to elements of the wrong kind, which browsers ignore.
 */
export function renameTargets(root: SvgElement): Targets {
  const byId = new Map<string, SvgElement>();
  const all: SvgElement[] = [];
  const collect = (element: SvgElement): void => {
    all.push(element);
    const id = element.attributes.get('id');
    // As in browsers, the first element with an id is used.
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    element.attributes.delete('id');
    for (const child of element.children) if (typeof child !== 'string') collect(child);
  };
  collect(root);

  const names = new Map<SvgElement, string>();
  const nameOf = (id: string, kinds: ReadonlySet<string> | undefined): string | undefined => {
    const target = byId.get(id);
    if (target === undefined || !kinds?.has(target.name)) return undefined;
    const name = names.get(target) ?? `i${names.size + 1}`;
    names.set(target, name);
    return name;
  };
  for (const element of all) renameReferences(element, nameOf);
  for (const [target, name] of names) target.attributes.set('id', name);
  return new Map([...names].map(([target, name]) => [name, target]));
}

type NameOf = (id: string, kinds: ReadonlySet<string> | undefined) => string | undefined;

function renameReferences({ name, attributes }: SvgElement, nameOf: NameOf): void {
  for (const [property, kinds] of Object.entries(PROPERTY_TARGETS)) {
    const value = attributes.get(property);
    const [, , id, fallback] = (value === undefined ? null : URL_REFERENCE.exec(value)) ?? [];
    if (id === undefined) continue;
    const target = nameOf(id, kinds);
    if (target !== undefined) {
      attributes.set(property, `url(#${target})${fallback === undefined ? '' : ` ${fallback}`}`);
    } else if (kinds === PAINT) attributes.set(property, fallback ?? 'none');
    else attributes.delete(property);
  }
  const link = attributes.get('href');
  if (link === undefined || name === 'image') return;
  const target = link.startsWith('#') ? nameOf(link.slice(1), LINK_TARGETS[name]) : undefined;
  if (target === undefined) attributes.delete('href');
  else attributes.set('href', `#${target}`);
}
