import type {
  EndpointName,
  RequestBody,
  RequestParams,
  RequestQuery,
  ResponseBody,
} from '@parley/contract';
import type { Account, Session, State } from './state.ts';

/** The cookie of a browser. */
export interface CookieJar {
  sessionId: string | undefined;
  /** The last registration in this browser. */
  registrationId?: string;
}

/** A request of a guest. */
export interface GuestCall<Name extends EndpointName> {
  readonly state: State;
  readonly params: RequestParams<Name>;
  readonly query: RequestQuery<Name>;
  readonly body: RequestBody<Name>;
  /** The request itself, for bodies that are no JSON. */
  readonly request: Request;
  readonly cookies: CookieJar;
}

/** A request of a signed-in user. */
export interface UserCall<Name extends EndpointName> extends GuestCall<Name> {
  readonly account: Account;
  readonly session: Session;
}

/** Responds to a request of an endpoint. */
export type Handler<Name extends EndpointName, Call = UserCall<Name>> = (
  call: Call,
) => ResponseBody<Name> | Response | Promise<ResponseBody<Name> | Response>;

/** Handlers of some endpoints for users. */
export type UserHandlers = { readonly [Name in EndpointName]?: Handler<Name> };

/** Handlers of some endpoints for guests. */
export type GuestHandlers = { readonly [Name in EndpointName]?: Handler<Name, GuestCall<Name>> };
