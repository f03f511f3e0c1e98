import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

// Names and texts that other programs, operators and browsers rely on. The files next to this one
// list them as of the time when they were frozen, one fact per line. `intended-changes.json` lists
// the changes since then with a reason. `PARLEY_TEST_FREEZE=1` rewrites the files.

interface IntendedChange {
  readonly why: string;
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
}

const FOLDER = import.meta.dirname;
const INTENDED: Readonly<Record<string, readonly IntendedChange[]>> = JSON.parse(
  readFileSync(join(FOLDER, 'intended-changes.json'), 'utf8'),
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ PARLEY_METRICS_TOKEN: 'secret-of-the-operator' });
});
afterAll(() => server.close());

test.each<[string, (frozen: readonly string[]) => Promise<string[]> | string[]]>([
  ['wire', () => wireFacts(server)],
  ['events', eventFacts],
  ['errors', errorFacts],
  ['variables', variableFacts],
  ['help', helpFacts],
  ['metrics', () => metricFacts(server)],
  ['schema', () => schemaFacts(server)],
  ['storage-keys', storageKeyFacts],
  ['log-fields', logFieldFacts],
  ['product-texts', textFacts],
])('keeps the facts in %s.txt except for intended changes', async (name, collect) => {
  const file = join(FOLDER, `${name}.txt`);
  const frozen = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const now = [...new Set(await collect(frozen))].toSorted();
  expect(now.length).toBeGreaterThan(5);
  if (process.env['PARLEY_TEST_FREEZE'] === '1') writeFileSync(file, `${now.join('\n')}\n`);
  else expect(differences(frozen, now)).toEqual(intended(name));
});

function differences(before: readonly string[], after: readonly string[]) {
  return {
    removed: before.filter((line) => !after.includes(line)),
    added: after.filter((line) => !before.includes(line)),
  };
}

function intended(name: string) {
  const changes = INTENDED[name] ?? [];
  return {
    removed: changes.flatMap(({ removed = [] }) => removed).toSorted(),
    added: changes.flatMap(({ added = [] }) => added).toSorted(),
  };
}
