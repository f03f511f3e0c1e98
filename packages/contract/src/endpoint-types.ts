import type { Static, TSchema } from 'typebox';
import type { EndpointName, PathParameters } from './endpoints.ts';
import type { endpointSchemas } from './schemas/endpoints.ts';

type Schemas = typeof endpointSchemas;

/** The type of a schema; undefined where there is none. */
type Infer<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type Part<Name extends EndpointName, Key extends string> = Schemas[Name] extends {
  readonly [K in Key]: infer Schema;
}
  ? Infer<Schema>
  : undefined;

/** The path parameters that an endpoint takes, as its server reads them; undefined where it takes none. */
export type RequestParams<Name extends EndpointName> = Part<Name, 'params'>;

/** The body that an endpoint takes; undefined where it takes none. */
export type RequestBody<Name extends EndpointName> = Part<Name, 'body'>;

/** The query that an endpoint takes, as its server reads it; undefined where it takes none. */
export type RequestQuery<Name extends EndpointName> = Part<Name, 'query'>;

type Responses<Name extends EndpointName> = Schemas[Name]['responses'];

type Body<Schema> = Schema extends { readonly content: infer Content }
  ? {
      [Type in keyof Content]: Content[Type] extends { readonly schema: infer S }
        ? Infer<S>
        : never;
    }[keyof Content]
  : Infer<Schema>;

/** The bodies that an endpoint responds with besides errors, by status. */
export type ResponseBodies<Name extends EndpointName> = {
  [Status in keyof Responses<Name>]: Body<Responses<Name>[Status]>;
};

/** The body of an endpoint's success. */
export type ResponseBody<Name extends EndpointName> = ResponseBodies<Name>[keyof Responses<Name> &
  (200 | 201 | 202)];

/** Makes a property optional where nothing has to be given. */
type Given<Key extends string, Value> = [Value] extends [undefined]
  ? {}
  : {} extends Value
    ? { readonly [K in Key]?: Value }
    : null extends Value
      ? { readonly [K in Key]?: Value }
      : { readonly [K in Key]: Value };

/** What a client gives an endpoint, by the endpoint's name. */
export type EndpointRequests = {
  [Name in EndpointName]: Given<'params', PathParameters<Name>> &
    Given<'query', RequestQuery<Name>> &
    Given<'body', RequestBody<Name>>;
};
