import type { EndpointName } from '@parley/contract';
import { clientSignals, endpointSchemas, type EndpointSchema } from '@parley/contract/schemas';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { LIVE_LIMITS } from '../src/realtime/live-limits.ts';
import type { World } from './world.ts';

/** Values that often break servers. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  "' or 1=1 --",
  '"; drop table users; --',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  'a\r\nset-cookie: parley.sid=x',
  '__proto__',
  'constructor',
  'deletedUser',
  'x'.repeat(30_000),
  '🙂'.repeat(10_001),
  'e\u0301'.repeat(5_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  { toString: null },
  { $ne: null },
];

/** Returns the names of the fields in all alternatives of a schema. */
function fieldsOf(schema: TSchema | undefined): string[] {
  const { properties = {}, anyOf = [] }: Alternatives = schema ?? {};
  return [...Object.keys(properties), ...anyOf.flatMap(fieldsOf)];
}

interface Alternatives {
  properties?: Record<string, TSchema>;
  anyOf?: TSchema[];
}

/** Names of the body fields of all endpoints, and a few invalid ones. */
const FIELDS = [
  ...Object.values<EndpointSchema>(endpointSchemas).flatMap(({ body }) => fieldsOf(body)),
  '__proto__',
  'constructor',
  'userId',
];

/** Names of the query fields of all endpoints, and a few invalid ones. */
const QUERY_FIELDS = [
  ...Object.values<EndpointSchema>(endpointSchemas).flatMap(({ query }) => fieldsOf(query)),
  'EIO',
  'transport',
  'sid',
  '__proto__',
];

/** Generates names of fields, mostly of the endpoint itself. */
function fieldOf(own: readonly string[], all: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...own, ...own, ...own, ...all);
}

/** Returns values that exist in a world, so that some requests pass validation. */
function createValidValues(world: World): readonly unknown[] {
  const { chatroomId, messageId, file, member, other, invitation } = world;
  return [
    chatroomId,
    messageId,
    chatroomId.toUpperCase(),
    `/media/${file}`,
    member.username,
    other.username,
    `${other.id}@example.org`,
    member.sessionId,
    invitation.id,
    invitation.code,
    true,
    '01890000-0000-7000-8000-000000000000',
    'password',
    '123456',
    'abcdefgh',
    'de',
    'loud',
    'Hello\n\n\nthere',
    1,
    200,
    { [chatroomId]: 0 },
    { [chatroomId]: 2 ** 53, [messageId]: -1 },
  ];
}

function value(world: World): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...createValidValues(world)) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** Generates values for a path parameter or a query field. */
function segment(world: World): fc.Arbitrary<string> {
  const encoded = fc
    .oneof(
      fc.constantFrom(...createValidValues(world).filter((v) => typeof v === 'string'), world.file),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    )
    .map((text) => encodeURIComponent(text.toWellFormed()));
  const broken = fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%c0%af',
    '%ff',
    '..%2f..%2fparley.db',
    '..',
    '.',
    '%252e',
    ';a=b',
    'x'.repeat(3_000),
  );
  return fc.oneof({ weight: 3, arbitrary: encoded }, broken);
}

/** Generates paths of a route with values for its parameters and possibly a query. */
export function pathOf(route: string, world: World, name: EndpointName): fc.Arbitrary<string> {
  const entry: EndpointSchema = endpointSchemas[name];
  const names = route.match(/:\w+|\*/g) ?? [];
  const query = fc.array(fc.tuple(fieldOf(fieldsOf(entry.query), QUERY_FIELDS), segment(world)), {
    maxLength: 3,
  });
  return fc
    .tuple(fc.array(segment(world), { minLength: names.length, maxLength: names.length }), query)
    .map(([segments, pairs]) => {
      let next = 0;
      const path = route.replace(/:\w+|\*/g, () => segments[next++] ?? '');
      return pairs.length === 0 ? path : `${path}?${pairs.map((p) => p.join('=')).join('&')}`;
    });
}

/** Generates JSON, mostly objects with fields of a schema. */
function jsonOf(world: World, schema: TSchema | undefined): fc.Arbitrary<string> {
  const record = fc
    .uniqueArray(fc.tuple(fieldOf(fieldsOf(schema), FIELDS), value(world)), {
      maxLength: 6,
      selector: ([name]) => name,
    })
    // Built as text because `__proto__` is not an ordinary key of an object.
    .map(
      (pairs) => `{${pairs.map((p) => p.map((part) => JSON.stringify(part)).join(':')).join(',')}}`,
    );
  return fc.oneof({ weight: 8, arbitrary: record }, fc.json());
}

/** Generates JSON payloads of a signal that fit into a frame. */
export function signalPayloadOf(
  world: World,
  name: keyof typeof clientSignals,
): fc.Arbitrary<string> {
  return jsonOf(world, clientSignals[name].payload).filter(
    (json) => Buffer.byteLength(json) < LIVE_LIMITS.maxPayload - 100,
  );
}

/** Generates bodies, mostly valid JSON and sometimes malformed JSON or other data. */
export function bodyOf(world: World, name: EndpointName): fc.Arbitrary<Buffer> {
  const { body }: EndpointSchema = endpointSchemas[name];
  const json = jsonOf(world, body);
  const text = fc.oneof(
    { weight: 8, arbitrary: json },
    json.map((whole) => whole.slice(0, -1)),
    fc.constant('['.repeat(50_000)),
    fc.constant('x'.repeat(300_000)),
    fc.constant('--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nGIF89a'),
  );
  return fc.oneof(
    { weight: 8, arbitrary: text.map((t) => Buffer.from(t)) },
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  );
}

const HEADERS: Record<string, readonly string[]> = {
  'content-type': [
    'application/json; charset=utf-16',
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'application/x-www-form-urlencoded',
    'nonsense',
    '',
  ],
  'accept-language': ['de', 'de-DE,de;q=0.9', '*', '', 'x'.repeat(500)],
  'accept-encoding': ['br', 'gzip;q=0', 'identity;q=0, *;q=0', 'x'],
  range: ['bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', `bytes=${'9'.repeat(20)}-`, 'x'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"', ','],
  origin: ['null', 'https://evil.example', 'http://['],
  authorization: ['Bearer ', 'Bearer x', 'Basic eA=='],
  'x-forwarded-for': ['1.2.3.4', 'nonsense', '::1, ::2'],
  'transfer-encoding': ['chunked'],
  expect: ['100-continue'],
  upgrade: ['h2c', 'websocket'],
};

/** Headers that a server reads, with unexpected values. */
export const headers: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc
      .constantFrom(...Object.entries(HEADERS))
      .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values))),
    { maxLength: 2 },
  )
  .map((pairs) => Object.fromEntries([['content-type', 'application/json'], ...pairs]));
