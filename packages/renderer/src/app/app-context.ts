import type { ApiClient, SessionState, SessionStore } from '@parley/client';
import type { CurrentUser } from '@parley/contract';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { AppServices } from './create-app-services.ts';
import type { SettingsState } from './device-settings.ts';

/** The application's services, provided by `mount`. */
export const AppContext = createContext<AppServices | undefined>(undefined);

/** Returns the application's services. Must be used inside the tree that `mount` renders. */
export function useApp(): AppServices {
  const app = useContext(AppContext);
  if (!app) throw new Error('useApp needs an AppContext above it');
  return app;
}

/** Returns the API client. */
export function useApi(): ApiClient {
  return useApp().api;
}

/** Returns the session store, to change it. */
export function useSessionStore(): SessionStore {
  return useApp().session;
}

/** Selects from the session state. */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useApp().session, select);
}

/**
 * Returns the signed-in user.
 * @throws on screens for guests
 */
export function useUser(): CurrentUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('this screen is for signed-in users only');
  return user;
}

/** Selects from the settings of this device. */
export function useSettings<T>(select: (state: SettingsState) => T): T {
  return useStore(useApp().settings, select);
}

/** Returns whether a newer version of the application is ready to be loaded. */
export function useIsNewVersionReady(): boolean {
  return useStore(useApp().newVersion, ({ isReady }) => isReady);
}

/** Returns whether the server's certificate was rejected. */
export function useIsCertificateRefused(): boolean {
  return useStore(useApp().certificate, ({ isRefused }) => isRefused);
}
