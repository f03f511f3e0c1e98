import type { EndpointName, PublicConfig, ServerEvents } from '@parley/contract';
import type { Language } from '@parley/texts';

/** The names and payloads of live events. */
export type LiveEvent = {
  [Name in keyof ServerEvents]: { name: Name; payload: ServerEvents[Name] };
}[keyof ServerEvents];

/** An account to create, verified. */
export interface NewAccount {
  username: string;
  /** By default `<username>@example.org`. */
  email?: string;
  /** By default `correct horse`. */
  password?: string;
  language?: Language;
}

/** A live connection, as its server sees it. */
export interface LiveListener {
  onEvent: (event: LiveEvent) => void;
  onClose: () => void;
}

/** A live connection, as its client sees it. */
export interface LiveConnection {
  /** Sends a client's signal. */
  signal: (name: string, payload: unknown) => void;
  close: () => void;
}

/** A browser with its own cookies. */
export interface MemoryBrowser {
  /** Requests an endpoint of the API. Rejects with a TypeError if the server cannot be reached. */
  fetch: typeof fetch;
  /** Opens the live connection. Returns undefined if there is no session or the server cannot be reached. */
  connect: (listener: LiveListener) => LiveConnection | undefined;
}

/**
 * Responds to a request in place of the server. `next` lets the server respond. Throwing a TypeError means that no
 * response arrives.
 */
export type Interceptor = (
  request: Request,
  next: () => Promise<Response>,
) => Response | Promise<Response>;

/** A server of the API that keeps everything in memory. It behaves like the real one, as `api-conformance.ts` tests. */
export interface MemoryServer {
  readonly origin: string;
  /** The public configuration, which tests may change. */
  readonly config: PublicConfig;
  /** Creates an account. */
  addUser: (account: NewAccount) => void;
  /** Creates a browser, signed in as the user with this name if there is one. */
  openBrowser: (username?: string) => MemoryBrowser;
  /** Lets `interceptor` respond to an endpoint until the returned function is called. */
  intercept: (endpoint: EndpointName, interceptor: Interceptor) => () => void;
  /** Closes all live connections and refuses everything until it is reachable again. */
  setReachable: (isReachable: boolean) => void;
  /** The key that was emailed last to an address. */
  keyFor: (email: string) => string;
  /** Stores texts that are sent from now on as messages of another kind, as newer servers have. */
  storeTextsAs: (kind: string) => void;
  /** Sends a live event to all users, also one of a newer server. */
  sendToAll: (event: { name: string; payload: unknown }) => void;
}
