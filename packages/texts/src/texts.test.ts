import { LANGUAGE_CODES, LANGUAGES, loadTexts, type TextFile } from '@parley/texts';
import { describe, expect, test } from 'vitest';

type Texts = { [key: string]: string | Texts };

const FILES = Object.keys(LANGUAGES.en.texts) as TextFile[];
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** Returns the texts of a file by dotted key. */
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

/** Returns the keys of texts and the names of plurals. */
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

/** Returns the placeholders and elements of a text. */
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

  test('has the same placeholders and elements as English', () => {
    const different = [...texts].filter(([key, text]) => {
      const model = english.get(key) ?? english.get(`${pluralOf(key)}_other`) ?? '';
      return slots(text) !== slots(model);
    });
    expect(different).toEqual([]);
  });

  test('has only well-formed placeholders', () => {
    const odd = [...texts].filter(([, text]) => /[{}]/.test(text.replaceAll(/\{\{\w+\}\}/g, '')));
    expect(odd).toEqual([]);
  });

  test('has no empty text', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

test('German asks users to do something in one form, that with an e', async () => {
  const short =
    /\b(?:[Ww]ähl|[Pp]rüf|[Ll]ösch|[Ss]etz|[Vv]ersuch es|[Ff]rag|[Ss]uch|Schick|Zieh|[Hh]ol|Leg|Mach)\b/;
  for (const file of FILES) {
    const found = [...(await read('de', file))].filter(([, text]) => short.test(text));
    expect(found).toEqual([]);
  }
});

test('German addresses users informally', async () => {
  // At the start of a sentence, "Sie" may also mean "she" or "they".
  const polite = /(?<!^|[.!?:]\s+)\b(?:Sie|Ihre?[nmrs]?|Ihnen)\b/;
  for (const file of FILES) {
    const formal = [...(await read('de', file))].filter(([, text]) => polite.test(text));
    expect(formal).toEqual([]);
  }
});
