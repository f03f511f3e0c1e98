import {
  endpoints,
  type EndpointName,
  type RequestBody,
  type RequestParams,
  type RequestQuery,
  type ResponseBodies,
} from '@parley/contract';
import {
  endpointSchemas,
  errorResponses,
  findTag,
  LONG_BODY_MAX,
  type EndpointSchema,
  type Tag,
} from '@parley/contract/schemas';
import type {
  FastifySchema,
  RawServerDefault,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../context.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint that a route serves; null for the files of the web client. */
    endpoint?: EndpointName | null;
  }
}

/** The types of a request to an endpoint and of its responses. */
export interface EndpointRoute<Name extends EndpointName> {
  Params: RequestParams<Name>;
  Querystring: RequestQuery<Name>;
  Body: RequestBody<Name>;
  Reply: unknown extends Bodies<Name> ? unknown : ResponseBodies<Name>;
}

type Bodies<Name extends EndpointName> = ResponseBodies<Name>[keyof ResponseBodies<Name>];

type Handler<Name extends EndpointName> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  EndpointRoute<Name>
>;

/** Options that a feature may add to its endpoint. */
type Extras<Name extends EndpointName> = Pick<
  RouteShorthandOptions<RawServerDefault, IncomingMessage, ServerResponse, EndpointRoute<Name>>,
  'config' | 'onRequest' | 'onSend' | 'validatorCompiler'
>;

/**
 * Registers the route of an endpoint as declared in the endpoint table. Plugins apply the rest of
 * the declaration: access, rate limits and documentation.
 */
export function registerEndpoint<Name extends EndpointName>(
  app: App,
  name: Name,
  handler: Handler<Name>,
  extras: Extras<Name> = {},
): void {
  app.route<EndpointRoute<Name>>({
    ...extras,
    ...createRouteOptions(name, extras.config),
    handler,
  });
}

/** Returns the route options of an endpoint without its handler. */
export function createRouteOptions(name: EndpointName, config: RouteOptions['config'] = {}) {
  const { method, path } = endpoints[name];
  const entry: EndpointSchema = endpointSchemas[name];
  return {
    method: entry.head === 'handler' ? [method, 'HEAD' as const] : method,
    url: path,
    exposeHeadRoute: entry.head === undefined,
    ...(entry.hasLongBody && { bodyLimit: LONG_BODY_MAX }),
    config: { ...config, endpoint: name },
    schema: routeSchema(entry, findTag(name)),
  };
}

function routeSchema(entry: EndpointSchema, tag: Tag | undefined): FastifySchema {
  const { summary, description, consumes, params, query, headers, body } = entry;
  return {
    ...(tag === undefined ? { hide: true } : { tags: [tag] }),
    summary,
    ...(description !== undefined && { description }),
    ...(consumes !== undefined && { consumes: [consumes] }),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    response: { ...entry.responses, ...errorResponses(...entry.errors) },
  };
}
