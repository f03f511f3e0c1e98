import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

// Adds a language to a copy of this package, like a translator would: a folder and a line in the
// registry. Tests use the copy instead of the package to show that a language requires nothing
// else.

/** The code of the pseudo-language, from the range that ISO 639 reserves for private use. */
export const PSEUDO_LANGUAGE = 'qps';

const PACKAGE = join(import.meta.dirname, '..');

const COPY = join(PACKAGE, 'out/pseudo-language');

/** The copy's entry point. */
export const PSEUDO_LANGUAGE_ENTRY = join(COPY, 'src/index.ts');

type Texts = { [key: string]: string | Texts };

/** Returns Vitest configuration that resolves `@parley/texts` to the copy, which it writes. */
export function withPseudoLanguage() {
  writeCopy();
  return { alias: [{ find: /^@parley\/texts$/, replacement: PSEUDO_LANGUAGE_ENTRY }] };
}

function writeCopy(): void {
  for (const folder of readdirSync(PACKAGE)) {
    if (!/^(?:[a-z]{2}|src)$/.test(folder)) continue;
    for (const file of readdirSync(join(PACKAGE, folder))) {
      if (file === 'registry.ts') continue;
      write(join(COPY, folder, file), readFileSync(join(PACKAGE, folder, file), 'utf8'));
    }
  }
  const english = join(PACKAGE, 'en');
  for (const file of readdirSync(english)) {
    const text = readFileSync(join(english, file), 'utf8');
    write(
      join(COPY, PSEUDO_LANGUAGE, file),
      file.endsWith('.json')
        ? `${JSON.stringify(translate(JSON.parse(text) as Texts), undefined, 2)}\n`
        : text.replace("'English'", `'${pseudo('English')}'`),
    );
  }
  const registry = readFileSync(join(PACKAGE, 'src/registry.ts'), 'utf8');
  const line = `export { default as ${PSEUDO_LANGUAGE} } from '../${PSEUDO_LANGUAGE}/language.ts';\n`;
  write(join(COPY, 'src/registry.ts'), registry + line);
}

// Another run may be reading the copy. Renaming a file is atomic, so it never reads half a file.
function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function translate(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? pseudo(text) : translate(text),
    ]),
  );
}

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  u: 'ü',
  y: 'ý',
  z: 'ž',
};

/** Adds accents to a text and lengthens it. Keeps placeholders, elements and the product name. */
export function pseudo(text: string): string {
  const accented = text
    .split(/(\{\{\w+\}\}|<\/?\w+>|Parley)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[a-z]/g, (letter) => ACCENTED[letter] ?? letter),
    );
  return `${accented.join('')}${'~'.repeat(Math.ceil(text.length / 3))}`;
}
