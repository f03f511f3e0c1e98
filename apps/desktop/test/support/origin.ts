import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { expect } from 'vitest';
import { createOriginHandler } from '../../src/main/origin/origin-handler.ts';
import { createBundle, type Bundle } from './bundle.ts';
import { createSessionFetch, type SessionFetch } from './session-fetch.ts';

/** The registered user. */
export const ada = { email: 'ada@example.org', username: 'ada', password: 'correct horse' };

/** A real server with a registered user, and the bundle that the app serves at its origin. */
export interface Backend {
  readonly server: RunningServer;
  readonly bundle: Bundle;
  readonly dispose: () => Promise<void>;
}

type Handler = (request: Request) => Promise<Response>;

/** The server's origin as the app serves it, with its own session. */
export interface Origin {
  readonly session: SessionFetch;
  readonly mediaOrigins: () => readonly string[];
  /** Returns how often the cache of the session was emptied. */
  readonly clearedCaches: () => number;
  readonly handle: Handler;
  /** Creates a handler that uses another `fetch` than the session. */
  readonly handlerOver: (fetch: SessionFetch['fetch']) => Handler;
  /** Sends a request as the page does. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Logs the user in. */
  readonly logIn: () => Promise<void>;
}

/** Starts the server and registers the user, which takes seconds. */
export async function startBackend(): Promise<Backend> {
  const server = await runServer({ PARLEY_RATE_LIMITS: 'false' }, serverFromSources);
  const bundle = await createBundle();
  const register = `${server.url}/api/users/register`;
  await fetch(register, json('POST', { ...ada, language: 'en' }));
  const { email } = ada;
  const key = await server.keyFor(email);
  const verified = await fetch(`${register}/verify`, json('POST', { email, key }));
  expect(verified.status).toBe(200);
  return {
    server,
    bundle,
    dispose: async () => {
      await server.dispose();
      await bundle.dispose();
    },
  };
}

/** Opens the origin as in a first start of the app, signed out. */
export async function openOrigin({ server, bundle }: Backend): Promise<Origin> {
  const session = createSessionFetch();
  let mediaOrigins: string[] = [];
  let clearedCaches = 0;
  const handlerOver = (fetch: SessionFetch['fetch']): Handler =>
    createOriginHandler({
      serverOrigin: server.url,
      pageOrigin: server.url,
      assets: bundle.assets,
      fetch,
      upload: async ({ url, method, headers, body }) =>
        fetch(url, { method, headers, body: await new Response(body).arrayBuffer() }),
      clearCache: () => {
        clearedCaches += 1;
      },
      mediaOrigins: () => mediaOrigins,
      onMediaOrigins: (found) => {
        mediaOrigins = found;
      },
    });
  const handle = handlerOver(session.fetch);
  const request = (path: string, init: RequestInit = {}) =>
    handle(new Request(new URL(path, server.url), init));
  return {
    session,
    mediaOrigins: () => mediaOrigins,
    clearedCaches: () => clearedCaches,
    handle,
    handlerOver,
    request,
    logIn: async () => {
      const response = await request('/api/users/login', json('POST', ada));
      expect(await response.json()).toMatchObject({ isVerified: true });
    },
  };
}

/** Returns the options of a request with a JSON body. */
export function json(method: string, data: object): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(data),
  };
}
