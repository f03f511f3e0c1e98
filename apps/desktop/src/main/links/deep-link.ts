/** URL scheme with which other programs can open a chatroom or a message. */
export const SCHEME = 'parley';

/** A parsed link. It can only name a chatroom, a message in it and one of the known servers. */
export interface DeepLink {
  chatroom: string;
  /** Position of the message in the chatroom. */
  seq?: number;
  /** Host with an optional port. */
  server?: string;
}

const PATH = /^\/(?<chatroom>[\w-]{1,64})(?:\/messages\/(?<seq>[1-9]\d{0,14}))?$/;
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Parses `parley://chat/<room>` and `parley://chat/<room>/messages/<seq>`, both optionally with `?server=<host>`.
 * Returns `undefined` for anything else.
 */
export function parseDeepLink(link: string): DeepLink | undefined {
  const url = link.length > 512 ? null : URL.parse(link);
  if (url?.protocol !== `${SCHEME}:` || url.host !== 'chat' || url.username !== '')
    return undefined;
  const { chatroom, seq } = PATH.exec(url.pathname)?.groups ?? {};
  if (chatroom === undefined || url.hash !== '') return undefined;
  const target = { chatroom, ...(seq !== undefined && { seq: Number(seq) }) };
  const names = [...url.searchParams.keys()];
  if (names.length === 0) return target;
  const server = url.searchParams.get('server');
  if (names.length !== 1 || server === null || !HOST.test(server)) return undefined;
  return { ...target, server: server.toLowerCase() };
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
