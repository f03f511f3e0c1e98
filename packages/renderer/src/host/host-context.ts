import type { PublicConfig } from '@parley/contract';
import { createContext, useCallback, useContext } from 'react';
import { avatarUrl } from './avatar-url.ts';
import type { Host } from './host.ts';

interface HostContextValue {
  host: Host;
  config: PublicConfig;
  /** Called when the server can be reached, so that cached data can be verified. */
  onConnected: () => void;
  /** Set while it is not known whether a user is signed in. */
  unknownUser: UnknownUser | undefined;
}

/** Why the server could not tell whether a user is signed in. */
export interface UnknownUser {
  readonly error: unknown;
  /** Asks the server again. */
  readonly retry: () => void;
}

/** The host and the server's configuration, provided by `AppStart`. */
export const HostContext = createContext<HostContextValue | undefined>(undefined);

function useHostContext(): HostContextValue {
  const hostContext = useContext(HostContext);
  if (!hostContext) throw new Error('useHostContext needs a HostContext above it');
  return hostContext;
}

/** Returns the host. */
export function useHost(): Host {
  return useHostContext().host;
}

/** Returns the server's public configuration. */
export function usePublicConfig(): PublicConfig {
  return useHostContext().config;
}

/** Returns the callback to call when the live connection is established. */
export function useOnConnected(): () => void {
  return useHostContext().onConnected;
}

/** Returns why it is not known whether a user is signed in; undefined if it is known. */
export function useUnknownUser(): UnknownUser | undefined {
  return useHostContext().unknownUser;
}

/** Returns a function that returns the avatar URL of a username, or undefined if there is none. */
export function useAvatarUrl(): (name: string) => string | undefined {
  const { host, config } = useHostContext();
  return useCallback(
    (name) => avatarUrl(config.avatarUrl, name, host.serverOrigin),
    [config.avatarUrl, host.serverOrigin],
  );
}
