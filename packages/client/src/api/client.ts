import {
  endpoints,
  fillPath,
  isErrorCode,
  type EndpointName,
  type EndpointRequests,
  type ErrorCode,
  type ErrorResponse,
  type ResponseBody,
  type SessionEndReason,
} from '@parley/contract';
import ky, { HTTPError, type Options } from 'ky';
import { isResponseOf } from './response-checks.ts';

/**
 * Why a call failed: the server's error code, or what only the client can tell:
 * - `offline`: no response arrived
 * - `unreadable`: a successful response is not JSON, has no data, or has unexpected data
 * - `proxy_too_large`: a proxy in front of the server refused the size of the request, which the server may accept
 * - `session_lost`: the server does not know the session of a login that it has just accepted
 */
export type ApiErrorCode =
  | ErrorCode
  | 'offline'
  | 'unreadable'
  | 'proxy_too_large'
  | 'session_lost';

interface ApiErrorOptions {
  readonly retryAfter?: number | undefined;
  readonly sessionEnded?: SessionEndReason | undefined;
  readonly isForeign?: boolean;
  readonly publicUrl?: string | undefined;
  readonly isNetworkLimited?: boolean;
}

/** A failed call. Screens choose their message by `code` and `status`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  /** HTTP status, or 0 if no response arrived. */
  readonly status: number;
  /** Seconds to wait before the next attempt, if the server sent them. */
  readonly retryAfter: number | undefined;
  /** Why the server ended the session, if it did. Set only with code `unauthenticated`. */
  readonly sessionEnded: SessionEndReason | undefined;
  /**
   * Whether the response is not from the server: it has no error code, like that of a captive portal, a filter or a
   * maintenance page. What was sent has then not arrived.
   */
  readonly isForeign: boolean;
  /** The origin at which the server can be used, if the server sent it. Set only with code `foreign_origin`. */
  readonly publicUrl: string | undefined;
  /** Whether the limit counts everyone in the user's network. Set only with code `rate_limited`. */
  readonly isNetworkLimited: boolean;

  constructor(code: ApiErrorCode, status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.retryAfter = options.retryAfter;
    this.sessionEnded = options.sessionEnded;
    this.isForeign = options.isForeign ?? false;
    this.publicUrl = options.publicUrl;
    this.isNetworkLimited = options.isNetworkLimited ?? false;
  }

  /**
   * Whether the same call may succeed later: after a missing, unreadable or foreign response, a rate limit, or a
   * server error.
   */
  get isTemporary(): boolean {
    const { code, status, isForeign } = this;
    return isForeign || code === 'unreadable' || status === 0 || status === 429 || status >= 500;
  }

  /**
   * Whether something between the device and the server responded instead of the server, such as a captive portal or a
   * filter. The errors of a reverse proxy that limits requests or whose server is down do not count.
   */
  get isIntercepted(): boolean {
    const { code, status, isForeign } = this;
    if (code === 'unreadable') return true;
    return isForeign && status !== 429 && (status < 500 || status === 511);
  }
}

/**
 * Creates the error for a successful response with unexpected content, such as a captive portal's login page.
 */
export function createUnreadableError(message: string): ApiError {
  return new ApiError('unreadable', 200, message);
}

/**
 * Creates the error for a session that belongs to another user than the one on screen. The session
 * of the user on screen is over.
 */
export function createOtherUserError(): ApiError {
  return new ApiError('unauthenticated', 401, 'Another user is signed in');
}

interface Cancellable {
  readonly signal?: AbortSignal | undefined;
}

/** The request of any call. Each endpoint's own type narrows it. */
interface CallRequest extends Cancellable {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/** The arguments of a call. The request is optional if the endpoint requires nothing. */
type CallArguments = {
  [Name in EndpointName]: {} extends EndpointRequests[Name]
    ? [request?: EndpointRequests[Name] & Cancellable]
    : [request: EndpointRequests[Name] & Cancellable];
};

/** The server's API. Every failure is an `ApiError`. */
export interface ApiClient {
  /** Origin of the server, without a trailing slash. */
  readonly origin: string;
  /**
   * Throws an `ApiError` if the session belongs to another user than the one on screen. Every call checks it.
   */
  checkUser: () => void;
  /** Calls an endpoint. Resolves to the response body. */
  call: <Name extends EndpointName>(
    name: Name,
    ...args: CallArguments[Name]
  ) => Promise<ResponseBody<Name>>;
  /** Calls an endpoint that sends entity tags. Resolves to undefined if the response still matches `etag`. */
  callIfChanged: <Name extends EndpointName>(
    name: Name,
    etag: string | undefined,
    ...args: CallArguments[Name]
  ) => Promise<Tagged<ResponseBody<Name>> | undefined>;
}

/** A response body with its entity tag, undefined if the server sends none. */
export interface Tagged<T> {
  readonly body: T;
  readonly etag: string | undefined;
}

interface ApiClientOptions {
  /** Origin of the server, such as `https://chat.example.org`. */
  origin: string;
  /** Returns whether the session belongs to another user than the one on screen. */
  isOtherUser?: () => boolean;
  /** Defaults to the global `fetch`. */
  fetch?: typeof fetch;
  /** Called when the session is over because the server ended it or it expired. */
  onUnauthenticated?: (reason: SessionEndReason) => void;
  /** How long to wait before a GET request is retried. Milliseconds. */
  retryDelay?: number;
}

/** How long to wait for the headers of a response. */
const TIMEOUT_MS = 15_000;
/** How long to wait for a complete response, which may be large and the connection slow. */
const COMPLETION_TIMEOUT_MS = 3 * 60_000;
const RETRY_DELAY_MS = 300;

/** Creates the API client. It retries only GET requests, once, because a write may have taken effect. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { origin, isOtherUser, onUnauthenticated, retryDelay = RETRY_DELAY_MS } = options;
  const base = origin.replace(/\/+$/, '');
  const http = ky.create({
    prefixUrl: base,
    credentials: 'include',
    timeout: TIMEOUT_MS,
    ...(options.fetch && { fetch: options.fetch }),
    retry: {
      limit: 1,
      methods: ['get'],
      statusCodes: [502, 503, 504],
      delay: () => retryDelay,
    },
  });

  // An action of one user must not run in the session of another.
  function checkUser(): void {
    if (isOtherUser?.()) throw createOtherUserError();
  }

  async function guarded<T>(send: () => Promise<T>): Promise<T> {
    try {
      checkUser();
      return await withinTimeout(send());
    } catch (error) {
      const apiError = await withinTimeout(toApiError(error));
      if (apiError.code === 'unauthenticated')
        onUnauthenticated?.(apiError.sessionEnded ?? 'expired');
      throw apiError;
    }
  }

  function send(name: EndpointName, request: CallRequest = {}, options: Options = {}) {
    const { method, path } = endpoints[name];
    const { params = {}, query, body, signal } = request;
    return http(fillPath(path, params).slice(1), {
      ...options,
      method,
      ...(query !== undefined && { searchParams: query }),
      ...(body !== undefined && { json: body }),
      ...(signal !== undefined && { signal }),
    });
  }

  return {
    origin: base,
    checkUser,
    call: <Name extends EndpointName>(name: Name, ...[request]: CallArguments[Name]) =>
      guarded(async () => checkResponse(name, await send(name, request).json())),
    callIfChanged: <Name extends EndpointName>(
      name: Name,
      etag: string | undefined,
      ...[request]: CallArguments[Name]
    ) =>
      guarded(async () => {
        const headers = etag === undefined ? {} : { 'if-none-match': etag };
        try {
          const response = await send(name, request, { headers });
          const tag = response.headers.get('etag') ?? undefined;
          return { body: checkResponse(name, await response.json()), etag: tag };
        } catch (error) {
          if (error instanceof HTTPError && error.response.status === 304) return undefined;
          throw error;
        }
      }),
  };
}

/** @throws {ApiError} `unreadable` unless a response of an endpoint has the expected fields. */
function checkResponse<Name extends EndpointName>(name: Name, body: unknown): ResponseBody<Name> {
  if (!isResponseOf(name, body)) throw createUnreadableError('The response has no data');
  return body;
}

/** Settles like a task, or rejects with an `ApiError` if a response is not completed in time. */
async function withinTimeout<T>(task: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new ApiError('offline', 0, 'The response was not completed');
    timer = setTimeout(() => reject(error), COMPLETION_TIMEOUT_MS);
  });
  return Promise.race([task, timeout]).finally(() => clearTimeout(timer));
}

/** Converts the cause of a failed call to an `ApiError`. Rethrows the `AbortError` of a canceled call. */
async function toApiError(cause: unknown): Promise<ApiError> {
  if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
  if (cause instanceof ApiError) return cause;
  if (cause instanceof SyntaxError) return createUnreadableError(cause.message);
  if (!(cause instanceof HTTPError)) {
    return new ApiError('offline', 0, cause instanceof Error ? cause.message : 'No response');
  }
  const { response } = cause;
  const body: unknown = await response.json().catch(() => undefined);
  return parseErrorResponse(response.status, body, response.headers.get('retry-after'));
}

const SESSION_ENDS: readonly SessionEndReason[] = [
  'revoked',
  'password-changed',
  'account-deleted',
];

/** Creates the error for the status and body of a response. */
export function parseErrorResponse(
  status: number,
  body: unknown,
  retryAfter: string | null,
): ApiError {
  const fields: { [Name in keyof ErrorResponse]?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  const known = isErrorCode(fields.code) ? fields.code : undefined;
  const code = known ?? fallbackCode(status);
  const message = typeof fields.errorMessage === 'string' ? fields.errorMessage : `HTTP ${status}`;
  const seconds = Number(retryAfter);
  return new ApiError(code, status, message, {
    retryAfter: retryAfter && seconds > 0 ? seconds : undefined,
    sessionEnded: SESSION_ENDS.find((reason) => reason === fields.sessionEnded),
    publicUrl: toOrigin(fields.publicUrl),
    isNetworkLimited: fields.limitedBy === 'network',
    // A reverse proxy in front of the server limits the size of uploads, too.
    isForeign: known === undefined && code !== 'proxy_too_large',
  });
}

/** Returns the origin of a received web address; undefined for anything else. */
function toOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, origin } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

// A reverse proxy sends no error codes.
function fallbackCode(status: number): ApiErrorCode {
  if (status === 413) return 'proxy_too_large';
  if (status === 429) return 'rate_limited';
  if (status >= 502 && status <= 504) return 'unavailable';
  return status >= 400 && status < 500 ? 'invalid_request' : 'internal';
}
