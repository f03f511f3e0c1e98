import type { PublicConfig } from '@parley/contract';
import { createContext, useCallback, useContext } from 'react';
import { avatarUrl } from './avatar-url.ts';
import type { Host } from './host.ts';

interface HostContextValue {
  host: Host;
  config: PublicConfig;
  /** The server can be reached: what is shown without having asked it can be verified. */
  onConnected: () => void;
}

/** Where the application runs and what its server is like; `mount` provides it. */
export const HostContext = createContext<HostContextValue | undefined>(undefined);

function useHostContext(): HostContextValue {
  const hostContext = useContext(HostContext);
  if (!hostContext) throw new Error('the host is known only inside the tree that mount renders');
  return hostContext;
}

/** Where the application runs. */
export function useHost(): Host {
  return useHostContext().host;
}

/** What the server tells everybody about itself. */
export function usePublicConfig(): PublicConfig {
  return useHostContext().config;
}

/** Returns what is to be called when the live connection stands. */
export function useOnConnected(): () => void {
  return useHostContext().onConnected;
}

/** Gives the address of a person's avatar, if there is one. */
export function useAvatarUrl(): (name: string) => string | undefined {
  const { host, config } = useHostContext();
  return useCallback(
    (name) => avatarUrl(config.avatarUrl, name, host.serverOrigin),
    [config.avatarUrl, host.serverOrigin],
  );
}
