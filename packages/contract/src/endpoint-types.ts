import type { Static, TSchema } from 'typebox';
import type { EndpointName, PathParameters } from './endpoints.ts';
import type { endpointSchemas } from './schemas/endpoints.schemas.ts';

type Schemas = typeof endpointSchemas;

/** The type of a schema, or undefined if there is none. */
type Infer<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

type Part<Name extends EndpointName, Key extends string> = Schemas[Name] extends {
  readonly [K in Key]: infer Schema;
}
  ? Infer<Schema>
  : undefined;

/** The parsed path parameters of an endpoint, or undefined if it has none. */
export type RequestParams<Name extends EndpointName> = Part<Name, 'params'>;

/** The request body of an endpoint, or undefined if it has none. */
export type RequestBody<Name extends EndpointName> = Part<Name, 'body'>;

/** The parsed query of an endpoint, or undefined if it has none. */
export type RequestQuery<Name extends EndpointName> = Part<Name, 'query'>;

type Responses<Name extends EndpointName> = Schemas[Name]['responses'];

type Body<Schema> = Schema extends { readonly content: infer Content }
  ? {
      [Type in keyof Content]: Content[Type] extends { readonly schema: infer S }
        ? Infer<S>
        : never;
    }[keyof Content]
  : Infer<Schema>;

/** The response bodies of an endpoint by status, except errors. */
export type ResponseBodies<Name extends EndpointName> = {
  [Status in keyof Responses<Name>]: Body<Responses<Name>[Status]>;
};

/** The response body of a successful request. */
export type ResponseBody<Name extends EndpointName> = ResponseBodies<Name>[keyof Responses<Name> &
  (200 | 201 | 202)];

/** A property that is optional if its value has no required content. */
type Given<Key extends string, Value> = [Value] extends [undefined]
  ? {}
  : {} extends Value
    ? { readonly [K in Key]?: Value }
    : null extends Value
      ? { readonly [K in Key]?: Value }
      : { readonly [K in Key]: Value };

/** The requests that a client can send, by endpoint name. */
export type EndpointRequests = {
  [Name in EndpointName]: Given<'params', PathParameters<Name>> &
    Given<'query', RequestQuery<Name>> &
    Given<'body', RequestBody<Name>>;
};
