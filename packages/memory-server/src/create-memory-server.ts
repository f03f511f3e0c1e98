import {
  API_VERSION,
  endpointPath,
  endpoints,
  findEndpoint,
  MIN_API_VERSION,
  normalizeEmail,
  type EndpointName,
} from '@parley/contract';
import { endpointSchemas, type EndpointSchema } from '@parley/contract/schemas';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  accountHandlers,
  addAccount,
  guestAccountHandlers,
  openSession,
} from './accounts.handlers.ts';
import { chatHandlers } from './chats.handlers.ts';
import type { CookieJar, GuestCall, GuestHandlers, UserHandlers } from './endpoint-handlers.ts';
import { exportHandlers } from './exports.handlers.ts';
import { guestInvitationHandlers, invitationHandlers } from './invitations.handlers.ts';
import { openConnection } from './memory-live.ts';
import { mediaHandlers } from './media.handlers.ts';
import type { Interceptor, LiveEvent, MemoryBrowser, MemoryServer } from './memory-server.ts';
import { messageHandlers } from './messages.handlers.ts';
import { notificationHandlers } from './notifications.handlers.ts';
import { errorResponse, Refusal } from './refusal.ts';
import { searchHandlers } from './search.handlers.ts';
import { closeConnections, emit, type Account, type Session, type State } from './state.ts';

const AVATAR =
  '<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><circle cx="90" cy="90" r="90" fill="#88a"/></svg>';
const EMOJI =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="32" fill="#fc3"/></svg>';

const fileHandlers = {
  getConfig: ({ state }) => state.config,
  getAvatar: () => svgResponse(AVATAR),
  getEmoji: () => svgResponse(EMOJI),
} satisfies GuestHandlers;

function svgResponse(svg: string): Response {
  return new Response(svg, { headers: { 'content-type': 'image/svg+xml' } });
}

const GUEST_HANDLERS: GuestHandlers = {
  ...fileHandlers,
  ...guestAccountHandlers,
  ...guestInvitationHandlers,
};

const USER_HANDLERS: UserHandlers = {
  ...accountHandlers,
  ...chatHandlers,
  ...messageHandlers,
  ...searchHandlers,
  ...mediaHandlers,
  ...invitationHandlers,
  ...exportHandlers,
  ...notificationHandlers,
};

/** Creates a server without users. Its URLs begin with `origin`. */
export function createMemoryServer(origin = 'http://memory.example'): MemoryServer {
  const state = createState(origin);
  const interceptors = new Map<EndpointName, Interceptor[]>();
  let isReachable = true;

  async function respond(request: Request, cookies: CookieJar): Promise<Response> {
    if (!isReachable) throw new TypeError('Failed to fetch');
    const url = new URL(request.url);
    const name = findEndpoint(request.method, url.pathname);
    if (name === undefined) return errorResponse('not_found');
    const handle = () => handleRequest(state, name, url, request, cookies);
    const interceptor = interceptors.get(name)?.at(-1);
    return interceptor ? interceptor(request, handle) : handle();
  }

  function openBrowser(username?: string): MemoryBrowser {
    const cookies: CookieJar = { sessionId: undefined };
    if (username !== undefined) {
      const account = state.accounts.values().find((each) => each.username === username);
      if (!account) throw new Error(`there is no user ${username}`);
      openSession(state, account.id, cookies);
    }
    return {
      fetch: (input, init) => respond(new Request(input, init), cookies),
      connect: (listener) => {
        const session = state.sessions.get(cookies.sessionId ?? '');
        if (!isReachable || !session || session.endReason !== undefined) return undefined;
        return openConnection(state, session, listener);
      },
    };
  }

  return {
    origin,
    config: state.config,
    addUser: ({
      username,
      email = `${username.toLowerCase()}@example.org`,
      password = 'correct horse',
      ...others
    }) => {
      addAccount(state, { username, email, password, ...others });
    },
    openBrowser,
    intercept: (name, interceptor) => {
      interceptors.set(name, [...(interceptors.get(name) ?? []), interceptor]);
      return () => {
        const others = interceptors.get(name)?.filter((each) => each !== interceptor);
        interceptors.set(name, others ?? []);
      };
    },
    setReachable: (isNowReachable) => {
      isReachable = isNowReachable;
      if (!isReachable) closeConnections(state, () => true);
    },
    keyFor: (email) => {
      const key = state.mailedKeys.get(normalizeEmail(email));
      if (key === undefined) throw new Error(`no key was mailed to ${email}`);
      return key;
    },
    storeTextsAs: (kind) => {
      state.textKind = kind;
    },
    sendToAll: (event) => emit(state, Array.from(state.accounts.keys()), event as LiveEvent),
  };
}

function createState(origin: string): State {
  return {
    config: {
      product: 'parley',
      version: '0.0.0',
      apiVersion: API_VERSION,
      minApiVersion: MIN_API_VERSION,
      mediaPrefix: origin + endpointPath('getMedia', { file: '' }),
      mediaBase: endpointPath('getMedia', { file: '' }),
      avatarUrl: `${endpoints.getAvatar.path.replace(':name', '{name}')}?v=00000000`,
      registration: 'open',
      userInvitations: true,
      operator: {},
      instance: 'memory-server-instance',
    },
    registrations: [],
    accounts: new Map(),
    sessions: new Map(),
    rooms: new Map(),
    uploads: new Map(),
    invitations: new Map(),
    exports: [],
    reports: [],
    connections: new Set(),
    mailedKeys: new Map(),
    textKind: 'text',
  };
}

async function handleRequest(
  state: State,
  name: EndpointName,
  url: URL,
  request: Request,
  cookies: CookieJar,
): Promise<Response> {
  try {
    const user = findSignedIn(state, cookies);
    if (endpoints[name].access === 'user' && !('account' in user)) {
      throw new Refusal('unauthenticated', user.endReason);
    }
    const call = { ...(await parseRequest(name, url, request)), state, request, cookies, ...user };
    const handler = (GUEST_HANDLERS[name] ?? USER_HANDLERS[name]) as
      | ((call: unknown) => unknown)
      | undefined;
    if (!handler) throw new Error(`the memory server has no endpoint ${name}`);
    const body = await handler(call);
    if (body instanceof Response) return body;
    const statuses = Object.keys(endpointSchemas[name].responses).map(Number);
    return Response.json(body, { status: Math.min(...statuses) });
  } catch (error) {
    if (error instanceof Refusal) return errorResponse(error.code, error.sessionEnded);
    // No test may mistake this for an answer of the real server.
    throw new Error('the memory server has a fault', { cause: error });
  }
}

function findSignedIn(
  state: State,
  cookies: CookieJar,
): { account: Account; session: Session } | Pick<Session, 'endReason'> {
  const session = state.sessions.get(cookies.sessionId ?? '');
  const account = session && state.accounts.get(session.accountId);
  if (session?.endReason !== undefined || !account) {
    const reason = session?.endReason;
    // Only these are remembered.
    const isRemembered = reason !== 'logout' && reason !== 'expired' && reason !== undefined;
    return isRemembered ? { endReason: reason } : {};
  }
  return { account, session };
}

/** Parses and validates a request as the endpoint's schemas say. */
async function parseRequest(
  name: EndpointName,
  url: URL,
  request: Request,
): Promise<Pick<GuestCall<EndpointName>, 'params' | 'query' | 'body'>> {
  const { params, query, body, consumes }: EndpointSchema = endpointSchemas[name];
  return {
    params: check(params, parseParams(endpoints[name].path, url.pathname)),
    query: check(query, query && Value.Convert(query, Object.fromEntries(url.searchParams))),
    body:
      body === undefined || consumes !== undefined
        ? undefined
        : check(body, await parseJson(request)),
  } as Pick<GuestCall<EndpointName>, 'params' | 'query' | 'body'>;
}

function check(schema: TSchema | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  if (!Value.Check(schema, value)) throw new Refusal('invalid_request');
  return value;
}

function parseParams(pattern: string, path: string): Record<string, string> {
  const values = path.split('/');
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((part, i) =>
        part.startsWith(':') ? [[part.slice(1), decodeURIComponent(values[i] ?? '')]] : [],
      ),
  );
}

async function parseJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal('invalid_request');
  }
}
