import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';

type Serialize = (body: unknown) => string;

/** By their schemas, which several servers of a process share. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Compiles response serializers lazily, when a response is first sent. Most declared responses are
 * errors, which do not use them.
 */
export const serializerCompiler: FastifySerializerCompiler<Schema> = ({ schema }) => {
  return (body) => {
    const serialize = compiled.get(schema) ?? fastJson(replaceUnions(schema));
    compiled.set(schema, serialize);
    return serialize(body);
  };
};

/**
 * Replaces unions with null by nullable schemas, and those of texts by any text. To find the member of a union,
 * `fast-json-stringify` would compile a validator with the first response, which takes up to 50 ms, and validate each
 * response.
 */
export function replaceUnions(schema: Schema): Schema;
export function replaceUnions(schema: unknown): unknown;
export function replaceUnions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => replaceUnions(each));
  if (!isObject(schema)) return schema;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, replaceUnions(value)]),
  );
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { ...rest, anyOf };
  const members = anyOf.filter((each) => !(isObject(each) && each['type'] === 'null'));
  const nullable = members.length < anyOf.length && { nullable: true };
  if (members.every((each) => isObject(each) && typeof each['const'] === 'string')) {
    return { ...rest, ...nullable, type: 'string' };
  }
  const [member] = members;
  if (members.length === 1 && isObject(member)) return { ...rest, ...member, ...nullable };
  return { ...rest, anyOf };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
