import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Adds a language as a translator would, in a copy of this package: a folder and one line. Tests run
// on that copy in place of the package, to show that a language needs no more than that.

/** The code of the pseudo-language, from the range that ISO 639 reserves for private use. */
export const PSEUDO_LANGUAGE = 'qps';

const PACKAGE = join(import.meta.dirname, '..');

type Texts = { [key: string]: string | Texts };

/** Writes the copy and returns the path of its entry. Does so again only where something changed. */
export function writePseudoLanguage(): string {
  const copy = join(PACKAGE, 'out/pseudo-language');
  for (const folder of readdirSync(PACKAGE)) {
    if (/^(?:[a-z]{2}|src)$/.test(folder)) {
      cpSync(join(PACKAGE, folder), join(copy, folder), {
        recursive: true,
        filter: (path) => !path.endsWith('registry.ts'),
      });
    }
  }
  const english = join(PACKAGE, 'en');
  for (const file of readdirSync(english)) {
    const text = readFileSync(join(english, file), 'utf8');
    write(
      join(copy, PSEUDO_LANGUAGE, file),
      file.endsWith('.json')
        ? `${JSON.stringify(translate(JSON.parse(text) as Texts), undefined, 2)}\n`
        : text.replace("'English'", `'${pseudo('English')}'`),
    );
  }
  const registry = readFileSync(join(PACKAGE, 'src/registry.ts'), 'utf8');
  const line = `export { default as ${PSEUDO_LANGUAGE} } from '../${PSEUDO_LANGUAGE}/language.ts';\n`;
  write(join(copy, 'src/registry.ts'), registry + line);
  return join(copy, 'src/index.ts');
}

/** Lets `@parley/texts` be the copy, in the configuration of Vitest. */
export function withPseudoLanguage() {
  return { alias: [{ find: /^@parley\/texts$/, replacement: writePseudoLanguage() }] };
}

// Several test runs may do this at the same time: a reader never sees half a file.
function write(path: string, text: string): void {
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

/** Accents and lengthens a text; keeps placeholders, elements and the product's name. */
export function pseudo(text: string): string {
  const accented = text
    .split(/(\{\{\w+\}\}|<\/?\w+>|Parley)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/[a-z]/g, (letter) => ACCENTED[letter] ?? letter),
    );
  return `${accented.join('')}${'~'.repeat(Math.ceil(text.length / 3))}`;
}
