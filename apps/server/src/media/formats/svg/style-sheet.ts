import { TooComplexMediaError } from '../byte-source.ts';
import { PROPERTIES } from './vocabulary.ts';

/** A property of an element, from a style sheet or a `style` attribute. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** The parts of an element that selectors can match. */
export interface SelectorTarget {
  readonly name: string;
  readonly id: string | undefined;
  readonly classes: ReadonlySet<string>;
}

interface Compound {
  readonly name: string | undefined;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
}

interface Rule {
  /** From the outermost ancestor to the element itself. */
  readonly compounds: readonly Compound[];
  readonly specificity: number;
  readonly order: number;
  readonly declarations: readonly Declaration[];
}

const SHEET_MAX = 512 * 1024;
const RULES_MAX = 2_000;
/** Maximum number of comparisons of elements with the compounds of selectors. */
const COMPARISONS_MAX = 200_000;
/** Maximum number of names, classes and ids in one selector. */
const SELECTOR_PARTS_MAX = 50;
/** Maximum number of declarations, counted once per element they apply to. */
const APPLIED_MAX = 300_000;

const COMPOUND = /^(?:[\w-]+|\*)?(?:[.#][\w\u0080-\uffff-]+)*$/;
const PSEUDO = /^[^[\]>+~]*:/;

/** The style sheets of an SVG, limited to simple selectors and known properties. */
export class StyleSheet {
  /** The rules by the key of their last compound: `#id`, `.class`, a name or `*`. */
  readonly #rules = new Map<string, Rule[]>();
  #count = 0;
  #length = 0;
  #comparisons = 0;
  #applied = 0;

  /**
   * Adds the text of one `style` element. Leaves out at-rules, which concern other media,
   * animations or fonts, and rules with pseudo-classes.
   * @throws {TooComplexMediaError} for unsupported selectors.
   */
  add(css: string): void {
    this.#length += css.length;
    if (this.#length > SHEET_MAX) throw new TooComplexMediaError('too many style rules');
    for (const { prelude, body } of blocks(withoutComments(css))) {
      const declarations = readDeclarations(body);
      for (const selector of prelude.split(',')) this.#addRule(selector.trim(), declarations);
    }
  }

  #addRule(selector: string, declarations: readonly Declaration[]): void {
    if (PSEUDO.test(selector) || declarations.length === 0) return;
    const compounds = selector.split(/\s+/).map(readCompound);
    const last = compounds.at(-1);
    if (last === undefined) return;
    const parts = compounds.reduce(
      (total, { ids, classes }) => total + 1 + ids.length + classes.length,
      0,
    );
    this.#count += 1;
    if (this.#count > RULES_MAX || parts > SELECTOR_PARTS_MAX)
      throw new TooComplexMediaError('too many style rules');
    const specificity = compounds.reduce(
      (total, { name, ids, classes }) =>
        total + ids.length * 1_000_000 + classes.length * 1_000 + (name === undefined ? 0 : 1),
      0,
    );
    const key = keyOf(last);
    const rules = this.#rules.get(key) ?? [];
    rules.push({ compounds, specificity, order: this.#count, declarations });
    this.#rules.set(key, rules);
  }

  /**
   * Returns the declarations for an element by ascending specificity. `ancestors` start with the
   * outermost.
   */
  declarationsFor(element: SelectorTarget, ancestors: readonly SelectorTarget[]): Declaration[] {
    if (this.#count === 0) return [];
    const keys = ['*', element.name, `#${element.id}`, ...[...element.classes].map((c) => `.${c}`)];
    const candidates = keys.flatMap((key) => this.#rules.get(key) ?? []);
    for (const { compounds } of candidates) {
      this.#comparisons += compounds.length === 1 ? 1 : ancestors.length;
    }
    if (this.#comparisons > COMPARISONS_MAX) throw new TooComplexMediaError('too many style rules');
    const matching = candidates.filter(({ compounds }) => matches(compounds, element, ancestors));
    for (const { declarations } of matching) this.#applied += declarations.length;
    if (this.#applied > APPLIED_MAX) throw new TooComplexMediaError('too many style rules');
    return matching
      .toSorted((a, b) => a.specificity - b.specificity || a.order - b.order)
      .flatMap((rule) => rule.declarations);
  }
}

/** Parses the supported declarations of a `style` attribute or a block. */
export function readDeclarations(css: string): Declaration[] {
  return css.split(';').flatMap((text) => {
    const colon = text.indexOf(':');
    if (colon === -1) return [];
    const property = text.slice(0, colon).trim().toLowerCase();
    const given = collapse(text.slice(colon + 1));
    const isImportant = / ?! ?important$/i.test(given);
    const value = isImportant ? given.slice(0, given.lastIndexOf('!')).trimEnd() : given;
    return expand(property, value).map(([name, part]) => ({
      property: name,
      value: part,
      isImportant,
    }));
  });
}

/** Collapses each run of white space to one space and trims the ends. */
export function collapse(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}

const FONT =
  /^(?:(normal|italic|oblique) )?(?:(normal|bold|\d{3}) )?([\d.]+(?:px|pt|em|%)?)(?:\/[\d.]+(?:px|pt|em|%)?)? (.+)$/;

function expand(property: string, value: string): [string, string][] {
  if (property === 'marker') {
    return ['start', 'mid', 'end'].flatMap((place) => expand(`marker-${place}`, value));
  }
  if (property === 'font') {
    const [, style = 'normal', weight = 'normal', size = '', family = ''] = FONT.exec(value) ?? [];
    return [
      ...expand('font-style', style),
      ...expand('font-weight', weight),
      ...expand('font-size', size),
      ...expand('font-family', family),
    ];
  }
  if (property === 'transform' && value !== 'none') {
    // The transform attribute has no units.
    const plain = value.replace(/(?<=\d)(?:px|deg)/g, '');
    if (!isKept(property, plain)) throw new TooComplexMediaError('an unsupported transform');
    return [[property, plain]];
  }
  return isKept(property, value) ? [[property, value]] : [];
}

function isKept(property: string, value: string): boolean {
  return Object.hasOwn(PROPERTIES, property) && (PROPERTIES[property]?.test(value) ?? false);
}

function readCompound(text: string): Compound {
  if (text === '' || !COMPOUND.test(text))
    throw new TooComplexMediaError('an unsupported selector');
  const [name = ''] = text.split(/[.#]/);
  const parts = text.match(/[.#][^.#]+/g) ?? [];
  const named = (sign: string) =>
    parts.filter((part) => part.startsWith(sign)).map((part) => part.slice(1));
  return {
    name: name === '' || name === '*' ? undefined : name,
    ids: named('#'),
    classes: named('.'),
  };
}

function keyOf({ name, ids, classes }: Compound): string {
  if (ids[0] !== undefined) return `#${ids[0]}`;
  if (classes[0] !== undefined) return `.${classes[0]}`;
  return name ?? '*';
}

function matches(
  compounds: readonly Compound[],
  element: SelectorTarget,
  ancestors: readonly SelectorTarget[],
): boolean {
  let left = compounds.length - 1;
  if (!matchesCompound(compounds[left], element)) return false;
  left -= 1;
  for (let i = ancestors.length - 1; i >= 0 && left >= 0; i -= 1) {
    if (matchesCompound(compounds[left], ancestors[i])) left -= 1;
  }
  return left < 0;
}

function matchesCompound(
  compound: Compound | undefined,
  element: SelectorTarget | undefined,
): boolean {
  if (compound === undefined || element === undefined) return false;
  return (
    (compound.name === undefined || compound.name === element.name) &&
    compound.ids.every((id) => id === element.id) &&
    compound.classes.every((name) => element.classes.has(name))
  );
}

function withoutComments(css: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = css.indexOf('/*', at);
    if (start === -1) break;
    parts.push(css.slice(at, start));
    const end = css.indexOf('*/', start + 2);
    if (end === -1) return parts.join(' ');
    at = end + 2;
  }
  return [...parts, css.slice(at)].join(' ').replaceAll('<!--', ' ').replaceAll('-->', ' ');
}

/** Iterates over the rules outside at-rules. */
function* blocks(css: string): Generator<{ prelude: string; body: string }> {
  let depth = 0;
  let start = 0;
  let open = 0;
  for (const { 0: sign, index } of css.matchAll(/[{};]/g)) {
    if (sign === '{') {
      if (depth === 0) open = index;
      depth += 1;
    } else if (sign === '}') {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      const prelude = css.slice(start, open).trim();
      if (open >= start && !prelude.startsWith('@')) {
        yield { prelude, body: css.slice(open + 1, index) };
      }
      start = index + 1;
    } else if (depth === 0) start = index + 1;
  }
}
