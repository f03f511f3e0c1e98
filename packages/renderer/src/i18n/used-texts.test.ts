import { loadTexts } from '@parley/texts';
import { expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

/** Returns the dotted key of every text. */
function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? prefix + key : keysOf(value, `${prefix}${key}.`),
  );
}

const sources = Object.values(
  import.meta.glob<string>(['../**/*.ts', '../**/*.tsx', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

/** Returns whether the code contains a text's key or builds it from its group, as in t(`login.${key}`). */
function isUsed(key: string): boolean {
  const name = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
  const group = name.slice(0, name.lastIndexOf('.') + 1);
  return [`'${name}'`, `"${name}"`, `\`${group}\${`].some((use) => sources.includes(use));
}

test('every text of the app is used', async () => {
  const keys = keysOf(await loadTexts('en', 'app'));
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});
