import { Ajv, type Options } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

const COMMON: Options = { useDefaults: true, removeAdditional: false, allErrors: false };

// A body says what it means; what comes in a URL is always a string.
const strict = new Ajv({ ...COMMON, coerceTypes: false });
const coercing = new Ajv({ ...COMMON, coerceTypes: true });

/** Compiles a route's schemas: bodies are taken at their types, parameters and queries converted. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? strict : coercing).compile(schema);
