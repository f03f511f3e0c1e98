/** The callers that may use an endpoint. */
export type Access =
  /** Every caller, with or without a session. */
  | 'guest'
  /** Requests with a session. */
  | 'user'
  /** The operator's monitoring. Clients do not use it, and the endpoint itself restricts access. */
  | 'operator';

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path parameters start with a colon. */
  readonly path: `/${string}`;
  readonly access: Access;
}

/**
 * All HTTP endpoints of the server, by name. The server calls
 * `registerEndpoint(app, 'login', handler)` and clients call `api.call('login', { body })`.
 *
 * The table has two halves, because schemas must not be part of the browser bundle. This half
 * contains the data that clients need at run time. `endpointSchemas` in `schemas/endpoints.schemas.ts`
 * contains the rest under the same endpoint names: schemas, error codes, rate limits and
 * documentation. An endpoint that is missing in either half is a type error. Clients import only
 * types from the second half.
 */
export const endpoints = {
  getConfig: { method: 'GET', path: '/api/config', access: 'guest' },
  getDocs: { method: 'GET', path: '/api/docs', access: 'guest' },
  getOpenApi: { method: 'GET', path: '/api/docs/openapi.json', access: 'guest' },
  getDocsFile: { method: 'GET', path: '/api/docs/:file', access: 'guest' },
  getAvatar: { method: 'GET', path: '/api/avatars/:name', access: 'guest' },
  getEmoji: { method: 'GET', path: '/api/emoji/:set/:file', access: 'guest' },

  register: { method: 'POST', path: '/api/users/register', access: 'guest' },
  verify: { method: 'POST', path: '/api/users/register/verify', access: 'guest' },
  resendKey: { method: 'POST', path: '/api/users/register/resend', access: 'guest' },
  login: { method: 'POST', path: '/api/users/login', access: 'guest' },
  logout: { method: 'GET', path: '/api/users/logout', access: 'guest' },
  clearBrowserCache: { method: 'POST', path: '/api/users/clear-cache', access: 'guest' },
  requestReset: { method: 'PATCH', path: '/api/users/forgot-pw', access: 'guest' },
  resetPassword: { method: 'PATCH', path: '/api/users/new-pw', access: 'guest' },
  changePassword: { method: 'PATCH', path: '/api/users/update', access: 'user' },
  requestEmailChange: { method: 'POST', path: '/api/users/email', access: 'user' },
  confirmEmailChange: { method: 'POST', path: '/api/users/email/verify', access: 'user' },
  cancelEmailChange: { method: 'DELETE', path: '/api/users/email', access: 'user' },
  restoreEmail: { method: 'POST', path: '/api/users/email/restore', access: 'guest' },
  getCurrentUser: { method: 'GET', path: '/api/users/current', access: 'user' },
  changeLanguage: { method: 'PATCH', path: '/api/users/language', access: 'user' },
  changeVolume: { method: 'PATCH', path: '/api/users/volume', access: 'user' },
  deleteAccount: { method: 'DELETE', path: '/api/users/delete', access: 'user' },
  changeSettings: { method: 'PATCH', path: '/api/users/settings', access: 'user' },

  listSessions: { method: 'GET', path: '/api/sessions', access: 'user' },
  endOtherSessions: { method: 'DELETE', path: '/api/sessions', access: 'user' },
  endSession: { method: 'DELETE', path: '/api/sessions/:id', access: 'user' },

  findUser: { method: 'POST', path: '/api/chatrooms/exist', access: 'user' },
  createChatroom: { method: 'POST', path: '/api/chatrooms/create', access: 'user' },
  listChats: { method: 'GET', path: '/api/chatrooms/chats', access: 'user' },
  getChatroom: { method: 'GET', path: '/api/chatrooms/chats/:id', access: 'user' },
  markAsRead: { method: 'POST', path: '/api/chatrooms/chats/:id/mark-as-read', access: 'user' },
  reportDelivered: { method: 'POST', path: '/api/chatrooms/delivered', access: 'user' },
  listChanges: { method: 'POST', path: '/api/chatrooms/changes', access: 'user' },
  acceptChat: { method: 'POST', path: '/api/chatrooms/chats/:id/accept', access: 'user' },
  declineRequest: { method: 'POST', path: '/api/chatrooms/chats/:id/decline', access: 'user' },
  deleteChat: { method: 'POST', path: '/api/chatrooms/chats/:id/delete', access: 'user' },
  blockPartner: { method: 'POST', path: '/api/chatrooms/chats/:id/block', access: 'user' },
  unblockPartner: { method: 'POST', path: '/api/chatrooms/chats/:id/unblock', access: 'user' },
  changeChatSettings: {
    method: 'PATCH',
    path: '/api/chatrooms/chats/:id/settings',
    access: 'user',
  },
  orderPinnedChats: { method: 'PATCH', path: '/api/chatrooms/pinned', access: 'user' },
  listBlocked: { method: 'GET', path: '/api/chatrooms/blocked', access: 'user' },

  listInvitations: { method: 'GET', path: '/api/invitations', access: 'user' },
  createInvitation: { method: 'POST', path: '/api/invitations', access: 'user' },
  revokeInvitation: { method: 'DELETE', path: '/api/invitations/:id', access: 'user' },
  previewInvitation: { method: 'POST', path: '/api/invitations/preview', access: 'guest' },
  redeemInvitation: { method: 'POST', path: '/api/invitations/redeem', access: 'user' },

  getNotifications: { method: 'GET', path: '/api/notifications', access: 'user' },
  changeNotifications: { method: 'PATCH', path: '/api/notifications', access: 'user' },
  subscribePush: { method: 'POST', path: '/api/notifications/subscription', access: 'user' },
  unsubscribePush: { method: 'DELETE', path: '/api/notifications/subscription', access: 'user' },
  testPush: { method: 'POST', path: '/api/notifications/test', access: 'user' },

  listExports: { method: 'GET', path: '/api/exports', access: 'user' },
  createExport: { method: 'POST', path: '/api/exports', access: 'user' },
  deleteExport: { method: 'DELETE', path: '/api/exports/:id', access: 'user' },
  getExportFile: { method: 'GET', path: '/api/exports/:id/file', access: 'user' },

  createReport: { method: 'POST', path: '/api/reports', access: 'user' },

  sendMessage: { method: 'POST', path: '/api/messages/send', access: 'user' },
  editMessage: { method: 'PATCH', path: '/api/messages/edit', access: 'user' },
  deleteMessage: { method: 'DELETE', path: '/api/messages/delete', access: 'user' },
  reactToMessage: { method: 'POST', path: '/api/messages/react', access: 'user' },
  // With a body, because paths and queries are logged by proxies.
  searchMessages: { method: 'POST', path: '/api/messages/search', access: 'user' },

  uploadImage: { method: 'POST', path: '/api/upload/image', access: 'user' },
  uploadAudio: { method: 'POST', path: '/api/upload/audio', access: 'user' },
  copyMedia: { method: 'POST', path: '/api/media/copy', access: 'user' },
  getMedia: { method: 'GET', path: '/media/:file', access: 'user' },

  /** Opens the live connection: `ServerEvents` over Socket.IO. */
  connect: { method: 'GET', path: '/socket.io/', access: 'user' },

  getHealth: { method: 'GET', path: '/healthz', access: 'operator' },
  getReadiness: { method: 'GET', path: '/readyz', access: 'operator' },
  getMetrics: { method: 'GET', path: '/metrics', access: 'operator' },
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint. */
export type EndpointName = keyof typeof endpoints;

type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The values of an endpoint's path parameters, not yet encoded. */
export type PathParameters<Name extends EndpointName> = {
  readonly [Key in ParameterNames<(typeof endpoints)[Name]['path']>]: string;
};

type PathArguments = {
  [Name in EndpointName]: {} extends PathParameters<Name> ? [] : [params: PathParameters<Name>];
};

/** Returns the path of an endpoint with encoded parameters. */
export function endpointPath<Name extends EndpointName>(
  name: Name,
  ...[params]: PathArguments[Name]
): string {
  return fillPath(endpoints[name].path, params ?? {});
}

/** Replaces the `:name` parameters in a path with encoded values. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, key: string) => encodeURIComponent(params[key] ?? ''));
}

/** Returns the names of all endpoints. */
export function endpointNames(): EndpointName[] {
  return Object.keys(endpoints).filter(isEndpointName);
}

function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name);
}

/** Finds the endpoint of a request. `path` excludes the query. */
export function findEndpoint(method: string, path: string): EndpointName | undefined {
  const segments = path.split('/');
  return endpointNames().find((name) => {
    const pattern = endpoints[name].path.split('/');
    const isMatch =
      pattern.length === segments.length &&
      pattern.every((part, i) =>
        part.startsWith(':') ? segments[i] !== '' : segments[i] === part,
      );
    return isMatch && endpoints[name].method === method;
  });
}

/** Returns the first segments of the paths that clients use, such as `/api`. */
export function serverRoots(): string[] {
  const paths = Object.values(endpoints).filter(({ access }) => access !== 'operator');
  return [...new Set(paths.map(({ path }) => rootOf(path)))];
}

/** Returns whether a path belongs to the server rather than to the web client. */
export function isServerPath(path: string): boolean {
  return serverRoots().includes(rootOf(path));
}

function rootOf(path: string): string {
  return `/${path.split('/', 2)[1] ?? ''}`;
}
