import { escapeHtml } from '../http/escape-html.ts';

/** A part of a page. Only {@link markup} creates it, so that nothing in it can be taken for markup by mistake. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Markup | readonly Markup[] | false | undefined;

/** Creates a part of a page from a template. Values are escaped, also within quoted attributes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const parts = strings.map((text, i) => text + (i < values.length ? sourceOf(values[i]) : ''));
  return new Markup(parts.join(''));
}

function sourceOf(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.source;
  if (typeof value === 'object') return value.map(({ source }) => source).join('');
  // Null characters end some parsers' input.
  return escapeHtml(String(value).replaceAll('\0', ''));
}
