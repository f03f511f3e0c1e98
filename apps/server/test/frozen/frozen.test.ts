import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import {
  errorFacts,
  eventFacts,
  helpFacts,
  logFieldFacts,
  metricFacts,
  schemaFacts,
  storageKeyFacts,
  textFacts,
  variableFacts,
  wireFacts,
} from './facts.ts';

// Names and texts that other programs, operators and browsers rely on, one fact per line. What the product's
// specification names is in `seed.txt` and `product-texts.txt` and stays. The other files follow the code:
// `PARLEY_TEST_FREEZE="<why>"` rewrites them and records the reason in `intended-changes.json`.

/** A change of facts, with the checksums of the files after it. */
interface IntendedChange {
  readonly why: string;
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = import.meta.dirname;
const CHANGES_FILE = join(FOLDER, 'intended-changes.json');
const changes: IntendedChange[] = JSON.parse(readFileSync(CHANGES_FILE, 'utf8'));
const reason = process.env['PARLEY_TEST_FREEZE'];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ PARLEY_METRICS_TOKEN: 'secret-of-the-operator' });
});
afterAll(() => server.close());

function readFacts(name: string): string[] {
  return readFileSync(join(FOLDER, `${name}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
}

function checksum(facts: readonly string[]): string {
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
}

test.each<[string, () => Promise<string[]> | string[]]>([
  ['wire', () => wireFacts(server)],
  ['events', eventFacts],
  ['errors', errorFacts],
  ['variables', variableFacts],
  ['help', helpFacts],
  ['metrics', () => metricFacts(server)],
  ['schema', () => schemaFacts(server)],
  ['storage-keys', storageKeyFacts],
  ['log-fields', logFieldFacts],
])('the facts in %s.txt change only with a reason', async (name, collect) => {
  const now = [...new Set(await collect())].toSorted();
  expect(now.length).toBeGreaterThan(5);
  const recorded = () => changes.findLast(({ files }) => name in files)?.files[name];
  if (reason !== undefined) writeFileSync(join(FOLDER, `${name}.txt`), `${now.join('\n')}\n`);
  if (reason !== undefined && recorded() !== checksum(now)) {
    const last = changes.at(-1);
    const files = { ...(last?.why === reason && last.files), [name]: checksum(now) };
    if (last?.why === reason) changes.pop();
    changes.push({ why: reason, files });
    writeFileSync(CHANGES_FILE, `${JSON.stringify(changes, null, 2)}\n`);
  }
  expect(readFacts(name)).toEqual(now);
  expect(recorded()).toBe(checksum(now));
});

test('what the specification names on the wire stays', async () => {
  const now = new Set(await wireFacts(server));
  expect(readFacts('seed').filter((fact) => !now.has(fact))).toEqual([]);
});

test('the texts that the specification quotes stay', async () => {
  const frozen = readFacts('product-texts');
  expect(await textFacts(frozen)).toEqual(frozen);
});
