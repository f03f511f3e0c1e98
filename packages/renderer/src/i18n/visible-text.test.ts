import { describe, expect, test } from 'vitest';
import { parseSync } from 'vite';

const components = import.meta.glob<string>('../**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const TEXT_ATTRIBUTES = new Set([
  'aria-label',
  'aria-description',
  'placeholder',
  'title',
  'alt',
  'label',
]);
const HAS_LETTER = /\p{L}/u;

/** The fields of a syntax tree node that the search uses. */
interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

function textsOf(name: string, source: string): string[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name} does not parse`);
  return literalTexts({ ...program });
}

/**
 * Finds literal texts in a component that a user would see or hear: text between tags, strings in braces
 * between tags, and attributes that are displayed or read out.
 */
function literalTexts(program: SyntaxNode): string[] {
  const found: string[] = [];
  const keep = (text: unknown): void => {
    if (typeof text === 'string' && HAS_LETTER.test(text)) found.push(text.trim());
  };

  const strings = (value: unknown): void => {
    if (!isNode(value)) return;
    if (value.type === 'Literal') keep(value['value']);
    else if (value.type === 'TemplateLiteral') keep(templateText(value));
    else if (value.type === 'ConditionalExpression') {
      strings(value['consequent']);
      strings(value['alternate']);
    } else if (value.type === 'LogicalExpression') strings(value['right']);
    else if (value.type === 'JSXExpressionContainer') strings(value['expression']);
  };

  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === 'JSXText') keep(value['value']);
    if (value.type === 'JSXAttribute' && isNode(value['name'])) {
      if (TEXT_ATTRIBUTES.has(String(value['name']['name']))) strings(value['value']);
    }
    if (
      (value.type === 'JSXElement' || value.type === 'JSXFragment') &&
      isList(value['children'])
    ) {
      for (const child of value['children']) strings(child);
    }
    Object.values(value).forEach(visit);
  };

  visit(program);
  return found;
}

function templateText(node: SyntaxNode): string {
  if (!isList(node['quasis'])) return '';
  return node['quasis']
    .map((part) => (isNode(part) && isNode(part['value']) ? String(part['value']['cooked']) : ''))
    .join('');
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a component', () => {
  test.each(Object.entries(components))('%s has no hard-coded texts', (name, source) => {
    expect(textsOf(name, source)).toEqual([]);
  });
});

test('the search finds text, expressions and text attributes, and nothing else', () => {
  const source = `export const A = () => (
    <p className="box" title="Tip">
      Hello {name} · {late ? 'late' : t('soon')} {\`at \${time}\`}
      <img alt={"Robot"} src="a.png" /> {ready && 'yes'} <input type="text" placeholder="" />
    </p>
  );`;
  expect(textsOf('a.tsx', source)).toEqual(['late', 'at', 'yes', 'Tip', 'Hello', 'Robot']);
});
