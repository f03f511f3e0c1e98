import type { App } from '../src/context.ts';

/** Every route of an app as `METHOD /path`, sorted; the parameters of paths begin with a colon. */
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
