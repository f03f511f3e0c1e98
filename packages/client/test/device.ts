import type { TestServer, TestUser } from '@parley/server/test-server';
import {
  createApiClient,
  createClient,
  createHeadlessPlatform,
  createMemoryLocks,
  createMemoryStorageArea,
  type Client,
  type ClientDeps,
  type MemoryStorageArea,
} from '../src/index.ts';
import { TIMING } from './histories/world/tab.ts';
import { sessionOf } from './session-of.ts';

/** A device of a user, which keeps its storage while no client runs. */
export interface TestDevice {
  readonly area: MemoryStorageArea;
  readonly locks: ReturnType<typeof createMemoryLocks>;
  /** Ends of the paths of requests that get no response. */
  lost: string[];
  /** Ends of the paths of requests that the server refuses. */
  refused: string[];
  /** Messages are sent once it resolves. */
  held?: Promise<void>;
}

/** Creates a device without stored data. */
export function createDevice(): TestDevice {
  return { area: createMemoryStorageArea(), locks: createMemoryLocks(), lost: [], refused: [] };
}

/** Opens a tab on a device. */
export function openTabOn(
  device: TestDevice,
  server: TestServer,
  user: TestUser,
  options: Partial<Pick<ClientDeps, 'events' | 'timing' | 'openSocket'>> = {},
): Client {
  const session = sessionOf(user);
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const isIn = (paths: string[]) => paths.some((path) => request.url.endsWith(path));
    if (isIn(['/send'])) await device.held;
    if (isIn(device.lost)) throw new TypeError('the request was lost');
    if (isIn(device.refused)) {
      return Response.json({ code: 'not_sender', errorMessage: 'no' }, { status: 403 });
    }
    return session.fetch(request);
  };
  return createClient({
    api: createApiClient({ origin: server.url, fetch: send, retryDelay: 1 }),
    username: user.username,
    platform: createHeadlessPlatform(
      { ...session, fetch: send },
      { locks: device.locks, openStorage: async () => device.area.open() },
    ),
    timing: TIMING,
    ...options,
  });
}
