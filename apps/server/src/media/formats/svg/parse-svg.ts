import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MalformedFileError, TooComplexMediaError, type ByteSource } from '../byte-source.ts';
import { isElement, isUnsupported, TEXT_ELEMENTS } from './vocabulary.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** An element of the SVG namespace that is drawn or referenced. */
export interface SvgElement {
  readonly name: string;
  /**
   * Attributes by local name. Contains those without a namespace, `href` of XLink, and `xml:space`.
   */
  readonly attributes: Map<string, string>;
  children: (SvgElement | string)[];
}

const CHUNK = 64 * 1024;
const ELEMENTS_MAX = 20_000;
const ATTRIBUTES_MAX = 200;

/**
 * Maximum length of an attribute, because each is checked synchronously. Paths and embedded images
 * may be longer because checking them is fast.
 */
const ATTRIBUTE_LENGTH_MAX = 100_000;
const LONG_ATTRIBUTES = new Set(['d', 'points', 'href']);

/** Maximum nesting depth, which no editor reaches. Each level takes stack space in the browser. */
export const DEPTH_MAX = 100;

/**
 * Parses an SVG into a tree, leaving out everything that is not drawn: metadata, titles, comments,
 * scripts, animations, and elements in the namespaces of editors.
 * @throws {MalformedFileError} if it is not an SVG or not well-formed UTF-8.
 * @throws {TooComplexMediaError} if it is too large or contains something whose cost has no bound.
 */
export async function parseSvg(source: ByteSource): Promise<SvgElement> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const tree = new TreeBuilder();
  for (let at = 0; at < source.size;) {
    const bytes = await source.bytesUpTo(at, CHUNK);
    at += bytes.length;
    tree.write(decode(decoder, bytes, at < source.size));
    if (bytes.length === 0) break;
    await nextTurn();
  }
  return tree.finish();
}

function decode(decoder: TextDecoder, bytes: Buffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new MalformedFileError('not UTF-8');
  }
}

class TreeBuilder {
  readonly #parser = new SaxesParser({ xmlns: true, position: false });
  readonly #open: SvgElement[] = [];
  #root: SvgElement | undefined;
  /** Number of open elements that are left out. */
  #skipped = 0;
  #elements = 0;
  #attributes = 0;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new MalformedFileError(error.message);
    });
    parser.on('opentagstart', () => {
      this.#attributes = 0;
      this.#elements += 1;
      if (this.#elements > ELEMENTS_MAX) throw new TooComplexMediaError('too many elements');
    });
    parser.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > ATTRIBUTES_MAX) throw new TooComplexMediaError('too many attributes');
    });
    parser.on('opentag', (tag) => this.#enter(tag));
    parser.on('closetag', () => this.#leave());
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  finish(): SvgElement {
    this.#parser.close();
    if (this.#root === undefined) throw new MalformedFileError('no svg element');
    return this.#root;
  }

  #enter(tag: SaxesTagNS): void {
    const isRoot = this.#root === undefined && this.#skipped === 0;
    if (isRoot && (tag.uri !== SVG || tag.local !== 'svg')) {
      throw new MalformedFileError('no svg element');
    }
    const parent = this.#open.at(-1);
    if (this.#skipped > 0 || tag.uri !== SVG || !isShown(tag, parent)) {
      this.#skipped += 1;
      if (this.#skipped > DEPTH_MAX) throw new TooComplexMediaError('nested too deeply');
      return;
    }
    // Inside a text, a link is part of that text.
    const isText = tag.local === 'a' && TEXT_ELEMENTS.has(parent?.name ?? '');
    const name = isText ? 'tspan' : tag.local;
    const element: SvgElement = { name, attributes: attributesOf(tag), children: [] };
    parent?.children.push(element);
    this.#root ??= element;
    this.#open.push(element);
    if (this.#open.length > DEPTH_MAX) throw new TooComplexMediaError('nested too deeply');
  }

  #leave(): void {
    if (this.#skipped > 0) this.#skipped -= 1;
    else this.#open.pop();
  }

  #addText(text: string): void {
    const parent = this.#open.at(-1);
    if (this.#skipped > 0 || parent === undefined) return;
    if (parent.name === 'style' || TEXT_ELEMENTS.has(parent.name)) parent.children.push(text);
  }
}

/**
 * Returns whether an element is drawn or referenced.
 * @throws {TooComplexMediaError} for elements that browsers draw but whose cost has no bound.
 */
function isShown({ local, attributes }: SaxesTagNS, parent: SvgElement | undefined): boolean {
  // Editors put elements that only they support into a `switch`, next to a fallback.
  if (isUnsupported(local) && parent?.name !== 'switch') {
    throw new TooComplexMediaError(`an unsupported element: ${local}`);
  }
  const extensions = attributes['requiredExtensions'];
  return isElement(local) && extensions === undefined;
}

function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { local, uri, value } of Object.values(tag.attributes)) {
    const isLong = value.length > ATTRIBUTE_LENGTH_MAX && !LONG_ATTRIBUTES.has(local);
    if (isLong && uri === '') {
      throw new TooComplexMediaError('an attribute that is too long');
    }
    if (uri === '') attributes.set(local, value);
    else if (uri === XML && local === 'space') attributes.set('xml:space', value);
    else if (uri === XLINK && local === 'href' && !attributes.has('href')) {
      attributes.set('href', value);
    }
  }
  return attributes;
}
