import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@parley/contract';
import {
  clientSignals,
  serverEvents,
  type ClientSignalSchema,
  type ServerEventSchema,
} from '@parley/contract/schemas';
import { loadEveryLanguage } from '@parley/texts';
import type { TSchema } from 'typebox';
import { Variables } from '../../src/config-variables.ts';
import { COMMANDS, findCommand } from '../../src/cli/commands.ts';
import type { TestServer } from '../harness.ts';
import { listPayloadFields } from '../payload-fields.ts';

const ROOT = join(import.meta.dirname, '../../../..');
/** Keywords for prose in a JSON schema, which may be reworded. */
const PROSE = new Set(['description', 'summary', 'title', 'example', 'examples']);

/**
 * Returns the routes with their parameters, fields, limits and statuses, one fact per line. Of responses to errors, which
 * all have the same fields, only the codes.
 */
export async function wireFacts(server: TestServer): Promise<string[]> {
  const { body } = await server.client().request('GET', '/api/docs/openapi.json');
  return flatten({ paths: body.paths, components: body.components }).filter(
    (fact) => !/\/responses\/[45]\d\d\//.test(fact) || fact.includes('/code/enum/'),
  );
}

/** Returns the live events and the signals of clients with their fields. */
export function eventFacts(): string[] {
  const events = Object.entries<ServerEventSchema>(serverEvents).flatMap(
    ([name, { to, shared, payload }]) =>
      payloadFacts(`event ${name}`, payload).concat(
        `event ${name} to ${to}${shared ? ` if ${shared}` : ''}`,
      ),
  );
  const signals = Object.entries<ClientSignalSchema>(clientSignals).flatMap(
    ([name, { rate, payload }]) =>
      payloadFacts(`signal ${name}`, payload).concat(`signal ${name} at ${rate}`),
  );
  return events.concat(signals);
}

function payloadFacts(name: string, payload: TSchema): string[] {
  return listPayloadFields(payload).map(
    ({ path, type, isOptional }) => `${name} ${path}${isOptional ? '?' : ''}: ${type}`,
  );
}

/** Returns the error codes with their statuses. */
export function errorFacts(): string[] {
  return Object.entries(ERROR_STATUS).map(([code, status]) => `${code} ${status}`);
}

/** Returns the environment variables with their defaults and limits. */
export function variableFacts(): string[] {
  return flatten(Variables.properties);
}

/** Returns the output of `help` for all commands, each command, and the environment variables. */
export async function helpFacts(): Promise<string[]> {
  const topics = ['', ...COMMANDS.map(({ name }) => name), 'help', 'config'];
  const facts: string[] = [];
  for (const topic of topics) {
    let text = '';
    const stdout = { write: (chunk: string) => (text += chunk) };
    const args = { positionals: topic === '' ? [] : [topic], isSet: () => false };
    await findCommand('help')?.run(args as never, { stdout } as never);
    facts.push(...text.split('\n').map((line) => `help ${topic}: ${line}`.trimEnd()));
  }
  return facts;
}

/** Returns the metrics with their types and labels. */
export async function metricFacts(server: TestServer): Promise<string[]> {
  const { body } = await server
    .client()
    .request('GET', '/metrics', undefined, { authorization: 'Bearer secret-of-the-operator' });
  const lines = String(body).split('\n');
  const labels = lines.flatMap((line) => {
    // These labels only appear after a garbage collection, or while the process waits for the file system.
    if (/^nodejs_(gc_|active_requests\{)/.test(line)) return [];
    const [, name = '', inside = ''] = /^(\w+)\{(.*)\}/.exec(line) ?? [];
    return [...inside.matchAll(/(\w+)="/g)].map(([, label]) => `${name} label ${label}`);
  });
  return [...lines.filter((line) => line.startsWith('# TYPE')), ...labels];
}

/** Returns tables, columns, constraints, indexes and triggers. */
export async function schemaFacts(server: TestServer): Promise<string[]> {
  const { storage } = server.ctx;
  const rows = await storage.read((db) =>
    db
      .selectFrom('sqlite_schema' as never)
      .select(['name', 'sql'] as never)
      .execute(),
  );
  return (rows as { name: string; sql: string | null }[]).flatMap(({ name, sql }) =>
    (sql ?? '')
      .split('\n')
      .map((line) => `${name}: ${line.trim()}`)
      .filter((line) => !line.endsWith(': ')),
  );
}

/** Returns the keys under which browsers store data. */
export function storageKeyFacts(): string[] {
  const files = [
    'packages/{client,renderer}/src/**/*.{ts,tsx}',
    'apps/web/{src,public}/**/*.{ts,js}',
  ];
  return matches(files, /['"`](parley[.-][a-z.-]+)/g);
}

/** Returns the names of the fields in the server's log. */
export function logFieldFacts(): string[] {
  const calls = /log\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^}]*)\}/g;
  return matches(['apps/server/src/**/*.ts'], calls).flatMap((fields) =>
    fields
      .split(',')
      .map((field) => field.split(':')[0]?.trim() ?? '')
      .filter((name) => /^\w+$/.test(name)),
  );
}

/** Returns the current texts for the entries of `frozen`, which product.md quotes. */
export async function textFacts(frozen: readonly string[]): Promise<string[]> {
  const files: Record<string, unknown>[] = await Promise.all([
    loadEveryLanguage('app'),
    loadEveryLanguage('notifications'),
    loadEveryLanguage('screens'),
    loadEveryLanguage('information'),
    loadEveryLanguage('keyboard'),
    loadEveryLanguage('settings'),
    loadEveryLanguage('search'),
    loadEveryLanguage('share'),
  ]);
  return frozen.map((line) => {
    const [, language = '', key = ''] = /^(\w+) (\S+) = /.exec(line) ?? [];
    const text = files
      .map((texts) => findText(texts[language], key))
      .find((found) => found !== undefined);
    return `${language} ${key} = ${String(text)}`;
  });
}

function findText(texts: unknown, key: string): string | undefined {
  let text = texts;
  for (const part of key.split('.')) text = (text as Record<string, unknown> | undefined)?.[part];
  return typeof text === 'string' ? text : undefined;
}

function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the first group of every match in files other than tests. */
function matches(globs: readonly string[], pattern: RegExp): string[] {
  return globSync(globs, { cwd: ROOT })
    .filter((path) => !path.includes('.test.') && !path.includes('node_modules'))
    .flatMap((path) => [...readSource(path).matchAll(pattern)].map(([, found = '']) => found));
}

function flatten(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => {
    // A property may have the name of a keyword.
    const isProse = PROSE.has(key) && typeof inner === 'string' && !path.endsWith('/properties');
    return isProse ? [] : flatten(inner, `${path}/${key.replaceAll('/', '~')}`);
  });
}
