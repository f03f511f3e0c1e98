import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';

const COMMON: Options = {
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
  // Compiling the schema of schemas with the first request would take 30 ms. A test validates them.
  validateSchema: false,
};

// Bodies have JSON types; parameters and queries are always strings and need coercion.
const strict = new Ajv({ ...COMMON, coerceTypes: false });
const coercing = new Ajv({ ...COMMON, coerceTypes: true });

/**
 * Compiles validators lazily, when they are first needed: compiling all of them takes a fifth of
 * the startup time. Bodies are validated strictly; parameters and queries are coerced.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  compileLazily(httpPart === 'body' ? strict : coercing, schema);

/** Returns a function that validates JSON strictly, compiled when it is first called. */
export function createValidator(schema: TSchema): (data: unknown) => boolean {
  const validate = compileLazily(strict, schema);
  return (data) => validate(data) === true;
}

function compileLazily(ajv: Ajv, schema: TSchema): FastifyValidationResult {
  let compiled: ValidateFunction | undefined;
  const validate: FastifyValidationResult = (data: unknown) => {
    compiled ??= ajv.compile(schema);
    const isValid = compiled(data);
    // Fastify reads the errors from the validation function, like Ajv's own.
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
}
