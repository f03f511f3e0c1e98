import { createHash } from 'node:crypto';
import type { SavedBounds, SavedServer, Settings } from './settings.ts';

/**
 * Returns the name of a server's session partition. Each server has its own, so that servers never share cookies
 * or drafts.
 */
export function getPartition(origin: string): string {
  const name = createHash('sha256').update(origin).digest('hex').slice(0, 24);
  return `persist:server-${name}`;
}

/** Returns the saved server with an origin. */
export function findSavedServer(settings: Settings, origin: string): SavedServer | undefined {
  return settings.servers.find((server) => server.origin === origin);
}

/** Returns the server to show first. */
export function findActiveServer(settings: Settings): SavedServer | undefined {
  return (
    (settings.active === undefined ? undefined : findSavedServer(settings, settings.active)) ??
    settings.servers[0]
  );
}

/** Returns the settings with a server added or updated, and active. Keeps the bounds of its window. */
export function withServer(settings: Settings, added: Omit<SavedServer, 'bounds'>): Settings {
  const { bounds } = findSavedServer(settings, added.origin) ?? {};
  const server: SavedServer = { ...added, ...(bounds && { bounds }) };
  const isKnown = settings.servers.some(({ origin }) => origin === added.origin);
  const servers = isKnown
    ? settings.servers.map((known) => (known.origin === added.origin ? server : known))
    : [...settings.servers, server];
  return { ...settings, servers, active: added.origin };
}

/** Returns the settings without a server. If it was active, another one becomes active. */
export function withoutServer(settings: Settings, origin: string): Settings {
  const servers = settings.servers.filter((server) => server.origin !== origin);
  const { active, ...rest } = settings;
  const next = active === origin ? servers[0]?.origin : active;
  return { ...rest, servers, ...(next !== undefined && { active: next }) };
}

/** Returns the settings with the bounds of a server's window. */
export function withBounds(settings: Settings, origin: string, bounds: SavedBounds): Settings {
  return mapServer(settings, origin, (server) => ({ ...server, bounds }));
}

/** Returns the settings with a server's media origins; the same object if that changes nothing. */
export function withMediaOrigins(
  settings: Settings,
  origin: string,
  mediaOrigins: string[],
): Settings {
  const known = findSavedServer(settings, origin)?.mediaOrigins;
  if (known === undefined || known.join() === mediaOrigins.join()) return settings;
  return mapServer(settings, origin, (server) => ({ ...server, mediaOrigins }));
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
