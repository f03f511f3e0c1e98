import type { RunningServer } from '@parley/testing';
import {
  createApiClient,
  createClient,
  createCookieFetch,
  createHeadlessPlatform,
  type ApiClient,
  type Client,
  type ClientDeps,
  type Platform,
} from '../src/index.ts';

export const ACCOUNT_PASSWORD = 'correct horse';

/** A session on a server, with a way to start clients for it. */
export interface SignedInUser {
  readonly api: ApiClient;
  readonly username: string;
  /** The cookie of the session. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Starts a client like a browser tab. Clients with the same storage share the outbox. */
  readonly createClient: (options?: {
    events?: ClientDeps['events'];
    platform?: Partial<Platform>;
  }) => Client;
  /** Signs in again after the session has ended. */
  readonly logIn: () => Promise<void>;
}

/** Registers a user and signs them in. */
export async function signUp(server: RunningServer, username: string): Promise<SignedInUser> {
  const email = `${username.toLowerCase()}@example.org`;
  const session = createCookieFetch();
  const api = createApiClient({ origin: server.url, fetch: session.fetch });
  await api.call('register', { body: { email, username, password: ACCOUNT_PASSWORD } });
  await api.call('verify', { body: { email, key: await server.keyFor(email) } });
  const logIn = async (): Promise<void> => {
    await api.call('login', { body: { email, password: ACCOUNT_PASSWORD } });
  };
  await logIn();
  const user = await api.call('getCurrentUser');
  return {
    api,
    username: user.username,
    headers: session.headers,
    logIn,
    createClient: ({ events = {}, platform = {} } = {}) =>
      createClient({
        api,
        username: user.username,
        platform: createHeadlessPlatform(session, platform),
        events,
      }),
  };
}
