import { isDeepStrictEqual } from 'node:util';
import { serverEvents, type ServerEventSchema } from '@parley/contract/schemas';
import { Value } from 'typebox/value';

/** Returns what is wrong with a live event: it is not in the table, or its payload has other fields or values. */
export function findEventProblem(
  name: string,
  payload: unknown,
  table: Readonly<Record<string, ServerEventSchema>> = serverEvents,
): string | undefined {
  if (!Object.hasOwn(table, name)) return `${name} is not in the table of live events`;
  const schema = table[name]?.payload ?? {};
  const [error] = Value.Errors(schema, payload);
  const sent = `${name} ${JSON.stringify(payload)}`;
  if (error) return `${sent}: ${error.instancePath} ${error.message}`;
  const known = Value.Clean(schema, structuredClone(payload));
  return isDeepStrictEqual(known, payload) ? undefined : `${sent}: other fields than in the table`;
}
