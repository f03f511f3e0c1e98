import { runServer, serverFromSources, type RunningServer } from '@parley/testing';
import { expect } from 'vitest';
import { createOriginHandler } from '../../src/main/origin/origin-handler.ts';
import { createBundle, type Bundle } from './bundle.ts';
import { createSessionFetch, type SessionFetch } from './session-fetch.ts';

/** Who is registered at the server. */
export const ada = { email: 'ada@example.org', username: 'ada', password: 'correct horse' };

/** A real server where Ada is registered, and the web client that the app serves at its origin. */
export interface Backend {
  readonly server: RunningServer;
  readonly bundle: Bundle;
  readonly dispose: () => Promise<void>;
}

type Handler = (request: Request) => Promise<Response>;

/** The server's origin as the app answers for it, with a session of its own. */
export interface Origin {
  readonly session: SessionFetch;
  readonly mediaOrigins: () => readonly string[];
  readonly handle: Handler;
  /** Its handler over another network than that of the session. */
  readonly handlerOver: (fetch: SessionFetch['fetch']) => Handler;
  /** Asks as the page does. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Logs Ada in. */
  readonly logIn: () => Promise<void>;
}

/** Starts the server and registers Ada, which takes seconds: once for a file. */
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

/** Opens the origin as after the app's first start, signed out. */
export async function openOrigin({ server, bundle }: Backend): Promise<Origin> {
  const session = createSessionFetch();
  let mediaOrigins: string[] = [];
  const handlerOver = (fetch: SessionFetch['fetch']): Handler =>
    createOriginHandler({
      serverOrigin: server.url,
      pageOrigin: server.url,
      assets: bundle.assets,
      fetch,
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
    handle,
    handlerOver,
    request,
    logIn: async () => {
      const response = await request('/api/users/login', json('POST', ada));
      expect(await response.json()).toMatchObject({ isVerified: true });
    },
  };
}

/** A request that sends JSON. */
export function json(method: string, data: object): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(data),
  };
}
