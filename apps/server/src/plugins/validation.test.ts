import { endpointSchemas, type EndpointSchema } from '@parley/contract/schemas';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

test.each(Object.entries<EndpointSchema>(endpointSchemas))(
  'the schemas of %s are valid, as the server does not check them',
  (_name, { params, query, headers, body }) => {
    const ajv = new Ajv();
    for (const schema of [params, query, headers, body]) {
      if (schema === undefined) continue;
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
    }
  },
);
