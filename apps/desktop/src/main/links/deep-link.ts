/** URL scheme with which other programs can open a chatroom. */
export const SCHEME = 'parley';

/** A parsed link. It can only name a chatroom and one of the known servers. */
export interface DeepLink {
  chatroom: string;
  /** Host with an optional port. */
  server?: string;
}

const CHATROOM_ID = /^[\w-]{1,64}$/;
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Parses `parley://chat/<room>` and `parley://chat/<room>?server=<host>`. Returns `undefined` for anything else. */
export function parseDeepLink(link: string): DeepLink | undefined {
  const url = link.length > 512 ? null : URL.parse(link);
  if (url?.protocol !== `${SCHEME}:` || url.host !== 'chat' || url.username !== '')
    return undefined;
  const chatroom = url.pathname.slice(1);
  if (!CHATROOM_ID.test(chatroom) || url.hash !== '') return undefined;
  const names = [...url.searchParams.keys()];
  if (names.length === 0) return { chatroom };
  const server = url.searchParams.get('server');
  if (names.length !== 1 || server === null || !HOST.test(server)) return undefined;
  return { chatroom, server: server.toLowerCase() };
}

/** Finds the link among a program's arguments, where Windows and Linux pass it. */
export function findDeepLink(args: readonly string[]): DeepLink | undefined {
  const link = args.find((arg) => arg.toLowerCase().startsWith(`${SCHEME}:`));
  return link === undefined ? undefined : parseDeepLink(link);
}

/** Returns the known server that a link names. A link without a server means the active one. */
export function findServerOfLink(
  { server }: DeepLink,
  origins: readonly string[],
  active: string | undefined,
): string | undefined {
  if (server === undefined) return active;
  return origins.find((origin) => new URL(origin).host === server);
}
