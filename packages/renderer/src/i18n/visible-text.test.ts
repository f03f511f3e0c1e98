import { describe, expect, test } from 'vitest';
import { parseSync } from 'vite';
import { literalTexts } from './visible-text.ts';

const components = import.meta.glob<string>('../**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function textsOf(name: string, source: string): string[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name} does not parse`);
  return literalTexts({ ...program });
}

describe('a component', () => {
  test.each(Object.entries(components))('%s takes its words from i18n', (name, source) => {
    expect(textsOf(name, source)).toEqual([]);
  });
});

test('the search finds text, expressions and spoken attributes, and leaves the rest alone', () => {
  const source = `export const A = () => (
    <p className="box" title="Tip">
      Hello {name} · {late ? 'late' : t('soon')} {\`at \${time}\`}
      <img alt={"Robot"} src="a.png" /> {ready && 'yes'} <input type="text" placeholder="" />
    </p>
  );`;
  expect(textsOf('a.tsx', source)).toEqual(['late', 'at', 'yes', 'Tip', 'Hello', 'Robot']);
});
