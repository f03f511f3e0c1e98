import { Id, Message } from '@parley/contract/schemas';
import type { TSchema } from 'typebox';

/** A field of the payload of a live event or signal. */
export interface PayloadField {
  /** With the fields that contain it, such as `settings.version`. */
  readonly path: string;
  /** Its type in words. Empty for an object whose fields follow. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string;
}

/** The keywords that the schemas of payloads use. */
interface Keywords {
  readonly type?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

const ID: Keywords = Id;

/** Returns the fields of a payload, also those of objects in it except for messages. */
export function listPayloadFields(schema: TSchema, parent = ''): PayloadField[] {
  const { properties = {}, patternProperties = {}, required = [] }: Keywords = schema;
  const entries = [
    ...Object.entries(properties),
    ...Object.values(patternProperties).map((inner) => ['(id)', inner] as const),
  ];
  return entries.flatMap(([key, inner]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    const isOptional = key in properties && !required.includes(key);
    const type = typeOf(inner);
    const { description = '' }: Keywords = type === 'UUID' ? {} : inner;
    const fields = objectsIn(inner).flatMap((object) => listPayloadFields(object, path));
    return [{ path, type, isOptional, description }].concat(fields);
  });
}

/** Returns the objects whose fields are listed after a field of this schema. */
function objectsIn(schema: TSchema): TSchema[] {
  const { anyOf, items, type }: Keywords = schema;
  if (schema === Message) return [];
  if (anyOf) return anyOf.flatMap(objectsIn);
  return items ? objectsIn(items) : type === 'object' ? [schema] : [];
}

function typeOf(schema: TSchema): string {
  const { type = '', pattern, anyOf, items }: Keywords = schema;
  if (schema === Message) return 'message';
  if (anyOf) return anyOf.map(typeOf).join(', ');
  if (items) return `list: ${typeOf(items)}`;
  if ('const' in schema) return `\`${String(schema.const)}\``;
  return pattern === ID.pattern ? 'UUID' : type;
}
