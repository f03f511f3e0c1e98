import {
  endpoints,
  fillPath,
  type EndpointName,
  type EndpointRequests,
  type ResponseBody,
} from '@parley/contract';

/** The request of any endpoint. */
interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The arguments of a request. The parts are optional if the endpoint requires nothing. */
type RequestArguments<Name extends EndpointName> = {} extends EndpointRequests[Name]
  ? [parts?: RequestParts]
  : [parts: EndpointRequests[Name]];

/**
 * Sends a request with the session of this browser. Resolves to the response body, or to undefined
 * if the request failed.
 */
export async function request<Name extends EndpointName>(
  name: Name,
  ...[parts = {}]: RequestArguments<Name>
): Promise<ResponseBody<Name> | undefined> {
  const { method, path } = endpoints[name];
  const { params = {}, body } = parts as RequestParts;
  try {
    const response = await fetch(fillPath(path, params), {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return response.ok ? ((await response.json()) as ResponseBody<Name>) : undefined;
  } catch {
    // No connection, or a proxy's page.
    return undefined;
  }
}
