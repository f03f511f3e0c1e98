import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

/** Returns the outlines of the two speech bubbles and of the visor in a file. */
async function findOutlines(file: string): Promise<string[]> {
  const source = await readFile(join(ROOT, file), 'utf8');
  const [, drawing = ''] = /<svg([^]*?)<\/svg>/.exec(source) ?? [];
  return [...drawing.matchAll(/ (?:d|x|y|width|height|rx|cx|cy|r)="([^"]*)"/g)]
    .map(([attribute]) => attribute.trim())
    .toSorted();
}

test('the logo has the same shape on the page that asks for a server, in the app and as favicon', async () => {
  const favicon = await findOutlines('apps/web/public/favicon.svg');
  expect(favicon).toHaveLength(13);
  expect(await findOutlines('apps/desktop/src/picker/picker.html')).toEqual(favicon);
  expect(await findOutlines('packages/renderer/src/ui/Logo.tsx')).toEqual(favicon);
});
