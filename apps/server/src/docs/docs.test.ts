import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { endpoints, ERROR_STATUS, type EndpointName } from '@parley/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compress } from '../../scripts/pack-folder.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { readDocsFiles } from './docs-files.ts';

interface Operation {
  summary?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<
    string,
    { content?: Record<string, { schema: { properties?: Record<string, { enum?: string[] }> } }> }
  >;
}

/** What clients use, but for the documentation itself. */
const FOR_CLIENTS = /^\/(?:api\/(?!docs(?:\/|$))|media\/)/;

let server: TestServer;
let routes: {
  method: string;
  url: string;
  schema: RouteOptions['schema'];
  endpoint: EndpointName;
}[];
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  routes = [];
  // Fastify tells of each instance it makes, so that no route can be registered unseen.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, schema, config }) => {
      for (const name of [method].flat()) {
        const endpoint = config?.endpoint;
        if (name === 'HEAD' || endpoint === undefined || endpoint === null) continue;
        routes.push({ method: name.toLowerCase(), url, schema, endpoint });
      }
    });
  };
  subscribe('fastify.initialization', listen);
  server = await startServer();
  unsubscribe('fastify.initialization', listen);
  const { body } = await server.client().request('GET', '/api/docs/openapi.json');
  paths = body.paths;
});
afterAll(() => server.close());

const documented = () => routes.filter(({ url }) => FOR_CLIENTS.test(url));
const operationOf = (url: string, method: string) =>
  paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method];

describe('the description', () => {
  test('is a file that is compressed once, not anew for each request', async () => {
    const path = '/api/docs/openapi.json';
    const { status, headers, body } = await server.client().request('GET', path);
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-encoding')).toBe('gzip');
    const etag = headers.get('etag') ?? '';
    const again = await server.client().request('GET', path, undefined, { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test('names every route for clients and no other, with what it is for', () => {
    const operations = Object.values(paths).flatMap((path) =>
      Object.keys(path).filter((method) => method !== 'head'),
    );
    expect(operations.length).toBeGreaterThan(25);
    expect(operations).toHaveLength(documented().length);
    for (const { method, url } of documented()) {
      const operation = operationOf(url, method);
      expect(operation?.summary, `${method} ${url}`).toEqual(expect.any(String));
      expect(operation?.tags, `${method} ${url}`).toHaveLength(1);
    }
  });

  test('has every answer of every route, refusals with their codes', () => {
    const codes = new Set<string>();
    for (const { method, url, schema } of documented()) {
      const answers = Object.keys(schema?.response ?? {});
      const { responses } = operationOf(url, method) ?? { responses: {} };
      expect(Object.keys(responses).toSorted(), `${method} ${url}`).toEqual(answers.toSorted());
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400 || Number(status) === 416) continue;
        const named = content?.['application/json']?.schema.properties?.['code']?.enum ?? [];
        expect(named, `${method} ${url} ${status}`).not.toHaveLength(0);
        for (const code of named) {
          expect(ERROR_STATUS).toHaveProperty(code, Number(status));
          codes.add(code);
        }
      }
    }
    expect([...codes].toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  });

  test('says which routes need a session, and that these answer 401 without', () => {
    for (const { method, url, endpoint } of documented()) {
      const operation = operationOf(url, method);
      const isPublic = endpoints[endpoint].access === 'guest';
      expect(operation?.security, url).toEqual(isPublic ? undefined : [{ session: [] }]);
      if (!isPublic) expect(operation?.responses, url).toHaveProperty('401');
    }
  });

  test('is OpenAPI 3.1 and says where the live connection is described', async () => {
    const { body } = await server.client().request('GET', '/api/docs/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const link = /\((\/api\/docs\/[\w.-]+)\)/.exec(body.info.description)?.[1] ?? '';
    const live = await server.client().request('GET', link);
    expect(live.status).toBe(200);
    expect(live.body).toContain('message-update');
  });
});

describe('the page', () => {
  test('loads what it needs from this server only, and runs nothing inline', async () => {
    const page = await server.client().request('GET', '/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.body).not.toMatch(/https?:|<script(?![^>]*src=)/);
    const parts = Array.from(
      String(page.body).matchAll(/(?:src|href)="(\/[^"]+)"/g),
      (m) => m[1] ?? '',
    );
    expect(parts).toHaveLength(3);
    for (const part of parts) {
      const answer = await server.client().request('GET', part);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each(['/api/docs/', '/api/docs/nothing.js', '/api/docs/..%2fpage', '/api/docs/index.html'])(
    '%s is not found',
    async (path) => {
      expect(await server.client().request('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    },
  );

  test('comes compressed from a build', async () => {
    // The largest takes a build seconds to compress.
    const files = new Map(readDocsFiles());
    for (const path of ['/api/docs', '/api/docs/swagger-ui.css']) {
      const file = files.get(path);
      if (file !== undefined) files.set(path, await compress(file));
    }
    const built = await startServer({}, undefined, files);
    try {
      const answer = await built
        .client()
        .request('GET', '/api/docs/swagger-ui.css', undefined, { 'accept-encoding': 'br' });
      expect(answer.headers.get('content-encoding')).toBe('br');
      expect(answer.body).toContain('.swagger-ui');
    } finally {
      await built.close();
    }
  });
});
