import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';

/**
 * Compiles response serializers lazily, when a response is first sent. Most declared responses are
 * errors, which do not use them.
 */
export const serializerCompiler: FastifySerializerCompiler<Schema> = ({ schema }) => {
  let compiled: ((body: unknown) => string) | undefined;
  return (body) => {
    compiled ??= fastJson(schema);
    return compiled(body);
  };
};
