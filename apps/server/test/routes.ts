import { endpointNames, endpoints, type EndpointName } from '@parley/contract';
import { endpointSchemas, type EndpointSchema } from '@parley/contract/schemas';
import type { App } from '../src/context.ts';

/** A method and path of an endpoint. */
export interface TableRoute {
  name: EndpointName;
  /** `METHOD /path` with path parameters after colons. */
  route: string;
}

/** Returns the routes of the endpoint table, including HEAD. */
export function tableRoutes(): TableRoute[] {
  return endpointNames().flatMap((name) => {
    const { method, path } = endpoints[name];
    const { head }: EndpointSchema = endpointSchemas[name];
    const methods = method === 'GET' && head !== 'none' ? ['GET', 'HEAD'] : [method];
    return methods.map((served) => ({ name, route: `${served} ${path}` }));
  });
}

/** Returns every route that an app has registered as `METHOD /path`, sorted. */
export function listRoutes(app: App): string[] {
  const routes: string[] = [];
  const prefixes: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^([│├└─\s]*)(\S*) \((.+)\)$/.exec(line);
    if (found === null) continue;
    const [, indent = '', path = '', methods = ''] = found;
    const depth = indent.length / 4;
    prefixes.length = depth - 1;
    prefixes.push(path);
    for (const method of methods.split(', ')) routes.push(`${method} ${prefixes.join('')}`);
  }
  return routes.toSorted();
}
