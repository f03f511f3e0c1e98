import { setImmediate as nextTurn } from 'node:timers/promises';
import { TooComplexMediaError } from '../byte-source.ts';
import type { SvgElement } from './parse-svg.ts';
import {
  collapse,
  readDeclarations,
  StyleSheet,
  type Declaration,
  type SelectorTarget,
} from './style-sheet.ts';
import { ATTRIBUTES, PROPERTIES } from './vocabulary.ts';

const STANDARD_INPUTS = new Set(['SourceGraphic', 'SourceAlpha']);

/** Maximum characters of all attributes. Style sheet rules are copied to every matching element. */
const ATTRIBUTES_LENGTH_MAX = 8 * 1024 * 1024;

/** Number of attribute characters that are checked before yielding to the event loop. */
const SLICE = 128 * 1024;

interface Progress {
  /** Characters kept so far. */
  written: number;
  /** Characters checked since the last yield. */
  checked: number;
}

/**
 * Reduces a tree, in place, to what is drawn: known attributes with valid values. Style sheets are
 * resolved into attributes.
 * @throws {TooComplexMediaError} for unsupported styles.
 */
export async function simplifySvg(root: SvgElement): Promise<void> {
  const sheet = new StyleSheet();
  collectStyles(root, sheet);
  await simplify(root, sheet, [], { written: 0, checked: 0 });
}

function collectStyles(element: SvgElement, sheet: StyleSheet): void {
  element.children = element.children.filter((child) => {
    if (typeof child === 'string') return true;
    if (child.name !== 'style') {
      collectStyles(child, sheet);
      return true;
    }
    const media = child.attributes.get('media') ?? 'all';
    if (!/^(?:all|screen)?$/.test(media.trim())) return false;
    sheet.add(child.children.filter((part) => typeof part === 'string').join(''));
    return false;
  });
}

async function simplify(
  element: SvgElement,
  sheet: StyleSheet,
  path: readonly SelectorTarget[],
  progress: Progress,
): Promise<void> {
  const { attributes, name } = element;
  for (const value of attributes.values()) progress.checked += value.length;
  if (progress.checked > SLICE) {
    progress.checked = 0;
    await nextTurn();
  }
  const self: SelectorTarget = {
    name,
    id: attributes.get('id'),
    classes: new Set(attributes.get('class')?.split(/\s+/).filter(Boolean)),
  };
  const properties = propertiesOf(attributes, sheet.declarationsFor(self, path));
  const kept = new Map<string, string>();
  for (const name of ['id', 'href']) {
    const value = attributes.get(name)?.trim();
    if (value) kept.set(name, value);
  }
  for (const [name, value] of attributes) {
    if (!Object.hasOwn(ATTRIBUTES, name)) continue;
    const given = collapse(value);
    if (ATTRIBUTES[name]?.test(given)) kept.set(name, given);
  }
  for (const [name, value] of properties) kept.set(name, value);
  if (name.startsWith('fe')) copyResultNames(attributes, kept);
  attributes.clear();
  for (const [name, value] of kept) {
    attributes.set(name, value);
    progress.written += name.length + value.length;
  }
  if (progress.written > ATTRIBUTES_LENGTH_MAX)
    throw new TooComplexMediaError('too many style rules');

  if (name === 'switch') element.children = chooseChild(element.children);
  for (const child of element.children) {
    if (typeof child !== 'string') await simplify(child, sheet, [...path, self], progress);
  }
  if (name === 'filter') renameResults(element);
}

/**
 * Returns the properties of an element. Style sheets override attributes; the `style` attribute
 * overrides both.
 */
function propertiesOf(
  attributes: ReadonlyMap<string, string>,
  declared: readonly Declaration[],
): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [name, value] of attributes) {
    if (!Object.hasOwn(PROPERTIES, name)) continue;
    const given = collapse(value);
    if (PROPERTIES[name]?.test(given)) properties.set(name, given);
  }
  const all = [...declared, ...readDeclarations(attributes.get('style') ?? '')];
  for (const wanted of [false, true]) {
    for (const { property, value, isImportant } of all) {
      if (isImportant === wanted) properties.set(property, value);
    }
  }
  return properties;
}

/** Returns the child that a `switch` shows. Languages are not distinguished. */
function chooseChild(children: SvgElement['children']): SvgElement['children'] {
  const elements = children.filter((child) => typeof child !== 'string');
  const general = elements.find((child) => !child.attributes.has('systemLanguage'));
  const found = general ?? elements[0];
  return found === undefined ? [] : [found];
}

function copyResultNames(given: ReadonlyMap<string, string>, kept: Map<string, string>): void {
  for (const name of ['in', 'in2', 'result']) {
    const value = given.get(name)?.trim();
    if (value) kept.set(name, value);
  }
}

/** Gives the results of filter steps neutral names. */
function renameResults(filter: SvgElement): void {
  const names = new Map<string, string>();
  const steps = (element: SvgElement): SvgElement[] =>
    element.children.flatMap((child) =>
      typeof child === 'string' ? [] : [child, ...steps(child)],
    );
  for (const { attributes } of steps(filter)) {
    for (const name of ['in', 'in2'] as const) {
      const value = attributes.get(name);
      if (value === undefined || STANDARD_INPUTS.has(value)) continue;
      const known = names.get(value);
      if (known === undefined) attributes.delete(name);
      else attributes.set(name, known);
    }
    const result = attributes.get('result');
    if (result === undefined) continue;
    const renamed = names.get(result) ?? `r${names.size + 1}`;
    names.set(result, renamed);
    attributes.set('result', renamed);
  }
}
