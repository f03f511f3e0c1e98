import { endpointSchemas, type EndpointSchema } from '@parley/contract/schemas';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { replaceUnions, serializerCompiler } from './serialization.ts';

test('a union with null or of texts is written as it is, without other fields', () => {
  const schema = Type.Object({
    kind: Type.Union([Type.Literal('text'), Type.Literal('image')]),
    until: Type.Union([Type.Literal('forever'), Type.Null()]),
    last: Type.Union([Type.Object({ content: Type.String() }), Type.Null()]),
    names: Type.Array(Type.Union([Type.String(), Type.Null()])),
  });
  const write = serializerCompiler({ schema, method: 'GET', url: '/' });
  const values = [
    { kind: 'text', until: null, last: null, names: [] },
    { kind: 'image', until: 'forever', last: { content: 'Hello' }, names: ['Ada', null] },
  ];
  for (const value of values) expect(JSON.parse(write(value))).toEqual(value);
  expect(write({ ...values[1], last: { content: '', secret: 1 } })).not.toContain('secret');
});

test('a union of numbers stays one', () => {
  const union = Type.Union([Type.Literal(1), Type.Literal(2)]);
  expect(replaceUnions(union)).toMatchObject({ anyOf: [{ const: 1 }, { const: 2 }] });
});

test.each(Object.entries<EndpointSchema>(endpointSchemas))(
  'responses of %s are written without a validator',
  (_name, { responses }) => {
    for (const schema of Object.values(responses)) {
      expect(JSON.stringify(replaceUnions(schema))).not.toMatch(/"(anyOf|oneOf|allOf|if)":/);
    }
  },
);
