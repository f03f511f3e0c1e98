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

/** The endpoints for clients, except for the documentation itself. */
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
  // Fastify announces each new instance on this channel, so the test sees every route.
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

describe('the OpenAPI document', () => {
  test('is sent compressed and can be revalidated', async () => {
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

  test('contains exactly the routes for clients, with a summary and a tag', () => {
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

  test('contains all responses of all routes, with the codes of errors', () => {
    const codes = new Set<string>();
    for (const { method, url, schema } of documented()) {
      const expected = Object.keys(schema?.response ?? {});
      const { responses } = operationOf(url, method) ?? { responses: {} };
      expect(Object.keys(responses).toSorted(), `${method} ${url}`).toEqual(expected.toSorted());
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

  test('declares which routes require a session, and their 401 response', () => {
    for (const { method, url, endpoint } of documented()) {
      const operation = operationOf(url, method);
      const isPublic = endpoints[endpoint].access === 'guest';
      expect(operation?.security, url).toEqual(isPublic ? undefined : [{ session: [] }]);
      if (!isPublic) expect(operation?.responses, url).toHaveProperty('401');
    }
  });

  test('is OpenAPI 3.1 and links to the documentation of the live connection', async () => {
    const { body } = await server.client().request('GET', '/api/docs/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const link = /\((\/api\/docs\/[\w.-]+)\)/.exec(body.info.description)?.[1] ?? '';
    const live = await server.client().request('GET', link);
    expect(live.status).toBe(200);
    expect(live.body).toContain('message-update');
  });
});

describe('the documentation page', () => {
  test('loads everything from this server and runs no inline scripts', async () => {
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
      const response = await server.client().request('GET', part);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each(['/api/docs/', '/api/docs/nothing.js', '/api/docs/..%2fpage', '/api/docs/index.html'])(
    'sends 404 for %s',
    async (path) => {
      expect(await server.client().request('GET', path)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    },
  );

  test('sends files in the form in which the build compressed them', async () => {
    // Compressing the largest file takes seconds.
    const files = new Map(readDocsFiles());
    for (const path of ['/api/docs', '/api/docs/swagger-ui.css']) {
      const file = files.get(path);
      if (file !== undefined) files.set(path, await compress(file));
    }
    const built = await startServer({}, undefined, files);
    try {
      const response = await built
        .client()
        .request('GET', '/api/docs/swagger-ui.css', undefined, { 'accept-encoding': 'br' });
      expect(response.headers.get('content-encoding')).toBe('br');
      expect(response.body).toContain('.swagger-ui');
    } finally {
      await built.close();
    }
  });
});
