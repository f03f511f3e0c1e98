import { createHash } from 'node:crypto';
import type { SavedBounds, SavedServer, Settings } from '../settings/settings.ts';

/** Name of the storage that belongs to one server: cookies and drafts of two never mix. */
export function partitionOf(origin: string): string {
  const name = createHash('sha256').update(origin).digest('hex').slice(0, 24);
  return `persist:server-${name}`;
}

/** The saved server of an origin. */
export function findServer(settings: Settings, origin: string): SavedServer | undefined {
  return settings.servers.find((server) => server.origin === origin);
}

/** The server to show first. */
export function activeServer(settings: Settings): SavedServer | undefined {
  return (
    (settings.active === undefined ? undefined : findServer(settings, settings.active)) ??
    settings.servers[0]
  );
}

/** Adds a server, or renews what is known of it, and puts it in front. */
export function withServer(settings: Settings, added: Omit<SavedServer, 'bounds'>): Settings {
  const { bounds } = findServer(settings, added.origin) ?? {};
  const server: SavedServer = { ...added, ...(bounds && { bounds }) };
  const isKnown = settings.servers.some(({ origin }) => origin === added.origin);
  const servers = isKnown
    ? settings.servers.map((known) => (known.origin === added.origin ? server : known))
    : [...settings.servers, server];
  return { ...settings, servers, active: added.origin };
}

/** Forgets a server. Another one comes in front if it was there. */
export function withoutServer(settings: Settings, origin: string): Settings {
  const servers = settings.servers.filter((server) => server.origin !== origin);
  const { active, ...rest } = settings;
  const next = active === origin ? servers[0]?.origin : active;
  return { ...rest, servers, ...(next !== undefined && { active: next }) };
}

/** Notes where a server's window was. */
export function withBounds(settings: Settings, origin: string, bounds: SavedBounds): Settings {
  return mapServer(settings, origin, (server) => ({ ...server, bounds }));
}

/** Notes where a server now takes media from. The same settings if nothing changed. */
export function withMediaOrigins(settings: Settings, origin: string, found: string[]): Settings {
  const known = findServer(settings, origin)?.mediaOrigins;
  if (known === undefined || known.join() === found.join()) return settings;
  return mapServer(settings, origin, (server) => ({ ...server, mediaOrigins: found }));
}

function mapServer(
  settings: Settings,
  origin: string,
  change: (server: SavedServer) => SavedServer,
): Settings {
  const servers = settings.servers.map((server) =>
    server.origin === origin ? change(server) : server,
  );
  return { ...settings, servers };
}
