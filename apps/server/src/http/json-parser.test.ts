import { LONG_BODY_MAX } from '@parley/contract/schemas';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from '../context.ts';
import { registerErrors } from '../plugins/error-handler.ts';
import { registerJsonParser } from './json-parser.ts';

let app: App;
/** The names of the requests in the order in which their bodies were parsed. */
let parsed: unknown[];
beforeEach(() => {
  parsed = [];
  app = Fastify({ bodyLimit: LONG_BODY_MAX });
  app.decorateRequest('session');
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { session: { userId: request.headers['x-user'] } });
  });
  registerErrors(app);
  registerJsonParser(app);
  app.post<{ Body: { name?: string } }>('/', async ({ body }) => {
    parsed.push(body.name);
    return '';
  });
});
afterEach(() => app.close());

async function post(user: string, body: string): Promise<number> {
  const headers = { 'x-user': user, 'content-type': 'application/json' };
  return (await app.inject({ method: 'POST', url: '/', headers, body })).statusCode;
}

const long = (name: string) =>
  JSON.stringify({ name, more: Array.from({ length: 100_000 }, () => 1) });

test('lets users take turns with long bodies, and does not let short ones wait for them', async () => {
  const statuses = await Promise.all([
    ...Array.from({ length: 12 }, () => post('Eve', long('long of Eve'))),
    post('Ada', long('long of Ada')),
    post('Ada', '{ "name": "short of Ada" }'),
  ]);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(parsed.indexOf('long of Ada')).toBeLessThan(parsed.lastIndexOf('long of Eve'));
  expect(parsed.indexOf('short of Ada')).toBeLessThan(parsed.lastIndexOf('long of Eve'));
});

test('rejects a body of brackets, which takes long to parse, but not a text of brackets', async () => {
  expect(await post('Ada', `${'['.repeat(120_000)}${']'.repeat(120_000)}`)).toBe(400);
  expect(await post('Ada', `[${'{},'.repeat(80_000)}1]`)).toBe(400);
  expect(await post('Ada', JSON.stringify({ name: '['.repeat(20_000) }))).toBe(200);
});

test('rejects malformed and dangerous long bodies', async () => {
  expect(await post('Ada', `{"name":"${'x'.repeat(20_000)}`)).toBe(400);
  expect(await post('Ada', `{"__proto__":"${'x'.repeat(20_000)}"}`)).toBe(400);
});
