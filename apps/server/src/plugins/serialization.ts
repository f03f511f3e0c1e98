import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';

/**
 * Compiles how answers are written. Each is compiled when it is first sent: most of a route's
 * answers are refusals, which are written without.
 */
export const serializerCompiler: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let compiled: ((body: unknown) => string) | undefined;
  return (body) => {
    compiled ??= fastJson(schema);
    return compiled(body);
  };
};
