import { describe, expect, test } from 'vitest';
import de from './de.json';
import en from './en.json';

type Texts = { [key: string]: string | Texts };

/** Every text by its dotted key. */
function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

const english = flatten(en);
const german = flatten(de);

/** What is filled in, and the elements a text wraps around its parts. */
const slots = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?(\w+)>/g)].map((match) => match[0]).toSorted();

const sources = Object.values(
  import.meta.glob<string>(['../**/*.ts', '../**/*.tsx', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

/** Whether the code names a text, or the group that it chooses from by name: t(`login.${failure}`). */
function isUsed(key: string): boolean {
  const name = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
  const group = name.slice(0, name.lastIndexOf('.') + 1);
  return [`'${name}'`, `"${name}"`, `\`${group}\${`].some((use) => sources.includes(use));
}

describe('the texts', () => {
  test('are all used', () => {
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  test('exist in both languages', () => {
    expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test('take the same values in both languages', () => {
    const different = [...english].filter(
      ([key, text]) => slots(text).join() !== slots(german.get(key) ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  test('are not empty', () => {
    const empty = [...english, ...german].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  test('say du and never Sie', () => {
    // At the start of a sentence it may be the pronoun of something feminine.
    const polite = /(?<!^|[.!?:] )\b(?:Sie|Ihre?[nmrs]?|Ihnen)\b/;
    const formal = [...german].filter(([, text]) => polite.test(text));
    expect(formal).toEqual([]);
  });
});
