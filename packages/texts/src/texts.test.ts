import { LANGUAGE_CODES, LANGUAGES, loadTexts, type TextFile } from '@parley/texts';
import { describe, expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

const FILES = Object.keys(LANGUAGES.en.texts) as TextFile[];
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** Every text of a file by its dotted key. */
async function read(language: (typeof LANGUAGE_CODES)[number], file: TextFile) {
  return flatten(await loadTexts(language, file));
}

function flatten(texts: Texts, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) flat.set(inner, text);
  }
  return flat;
}

/** The keys without those of plurals, and the names of the plurals. */
function namesOf(texts: Map<string, string>) {
  const keys = [...texts.keys()];
  return {
    texts: keys.filter((key) => !PLURAL.test(key)).toSorted(),
    plurals: [...new Set(keys.filter((key) => PLURAL.test(key)).map(pluralOf))].toSorted(),
  };
}

function pluralOf(key: string): string {
  return key.replace(PLURAL, '');
}

/** What is filled in, and the elements a text wraps around its parts. */
const slots = (text: string): string =>
  [...text.matchAll(/\{\{[^}]*\}\}|<\/?\w+>/g)]
    .map(([slot]) => slot)
    .toSorted()
    .join();

const all = LANGUAGE_CODES.flatMap((language) => FILES.map((file) => ({ language, file })));

describe.each(all)('$file in $language', async ({ language, file }) => {
  const english = await read('en', file);
  const texts = await read(language, file);

  test('has the texts that English has, and no others', () => {
    expect(namesOf(texts)).toEqual(namesOf(english));
  });

  test('has the plural forms of the language', () => {
    const forms = new Intl.PluralRules(LANGUAGES[language].locale).resolvedOptions();
    const { plurals } = namesOf(texts);
    const wanted = plurals.flatMap((key) => forms.pluralCategories.map((form) => `${key}_${form}`));
    expect([...texts.keys()].filter((key) => PLURAL.test(key)).toSorted()).toEqual(
      wanted.toSorted(),
    );
  });

  test('takes the same values and elements as English', () => {
    const different = [...texts].filter(([key, text]) => {
      const model = english.get(key) ?? english.get(`${pluralOf(key)}_other`) ?? '';
      return slots(text) !== slots(model);
    });
    expect(different).toEqual([]);
  });

  test('has only placeholders that can be filled in', () => {
    const odd = [...texts].filter(([, text]) => /[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, '')));
    expect(odd).toEqual([]);
  });

  test('has no empty text', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

test('German says du and never Sie', async () => {
  // At the start of a sentence it may be the pronoun of something feminine.
  const polite = /(?<!^|[.!?:]\s+)\b(?:Sie|Ihre?[nmrs]?|Ihnen)\b/;
  for (const file of FILES) {
    const formal = [...(await read('de', file))].filter(([, text]) => polite.test(text));
    expect(formal).toEqual([]);
  }
});
