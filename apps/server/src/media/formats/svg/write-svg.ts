import type { SvgElement } from './parse-svg.ts';
import { STYLE_ONLY } from './vocabulary.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Serializes a simplified tree as XML in UTF-8. */
export function writeSvg(root: SvgElement): Buffer {
  const parts: string[] = [];
  write(root, ' xmlns="http://www.w3.org/2000/svg"', parts);
  return Buffer.from(parts.join(''));
}

function write({ name, attributes, children }: SvgElement, namespace: string, parts: string[]) {
  // Links do not work inside an image.
  const tag = name === 'a' || name === 'switch' ? 'g' : name;
  parts.push(`<${tag}${namespace}`);
  const styles: string[] = [];
  for (const [key, value] of attributes) {
    if (STYLE_ONLY.has(key)) styles.push(`${key}:${value}`);
    else parts.push(` ${key}="${escape(value)}"`);
  }
  if (styles.length > 0) parts.push(` style="${styles.join(';')}"`);
  if (children.length === 0) {
    parts.push('/>');
    return;
  }
  parts.push('>');
  for (const child of children) {
    if (typeof child === 'string') parts.push(escape(child));
    else write(child, '', parts);
  }
  parts.push(`</${tag}>`);
}

function escape(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
