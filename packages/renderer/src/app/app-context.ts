import type { ApiClient, SessionState, SessionStore } from '@parley/client';
import type { CurrentUser } from '@parley/contract';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { AppServices } from './create-app-services.ts';
import type { SettingsState } from './settings.ts';

/** The application's state; `mount` provides it. */
export const AppContext = createContext<AppServices | undefined>(undefined);

/** Returns the application's state. Only inside the tree that `mount` renders. */
export function useApp(): AppServices {
  const app = useContext(AppContext);
  if (!app) throw new Error('useApp needs an AppContext above it');
  return app;
}

/** Returns the server's API. */
export function useApi(): ApiClient {
  return useApp().api;
}

/** Returns the store of who is signed in, to change it. */
export function useSessionStore(): SessionStore {
  return useApp().session;
}

/** Selects from who is signed in. */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useApp().session, select);
}

/** Returns the signed-in user. Only on screens that no guest sees. */
export function useUser(): CurrentUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('this screen is for signed-in users only');
  return user;
}

/** Selects from what is set for this device. */
export function useSettings<T>(select: (state: SettingsState) => T): T {
  return useStore(useApp().settings, select);
}

/** Returns whether the page can be reloaded as a newer version of the application. */
export function useIsNewVersionReady(): boolean {
  return useStore(useApp().newVersion, ({ isReady }) => isReady);
}

/** Returns whether the server's certificate is not trusted. */
export function useIsCertificateRefused(): boolean {
  return useStore(useApp().certificate, ({ isRefused }) => isRefused);
}
