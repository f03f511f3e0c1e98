import http from 'node:http';
import type { Plugin } from 'rolldown';

const ID = '\0light-http';

/**
 * Imports `node:http` without loading Node's WebSocket and `fetch`. Importing a built-in module reads
 * all its exports, which loads both. Without them, the server starts 40 ms sooner and needs 15 MB
 * less memory.
 */
export function lightHttp(): Plugin {
  const names = Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([, descriptor]) => descriptor.get === undefined)
    .map(([name]) => name);
  return {
    name: 'light-http',
    resolveId: (id, _importer, { kind }) =>
      kind !== 'require-call' && (id === 'node:http' || id === 'http') ? ID : null,
    load: (id) =>
      id === ID
        ? [
            `const http = process.getBuiltinModule('node:http');`,
            `export default http;`,
            `export const { ${names.join(', ')} } = http;`,
          ].join('\n')
        : null,
  };
}
