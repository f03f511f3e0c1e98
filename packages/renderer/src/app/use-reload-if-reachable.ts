import { useCallback } from 'react';
import { useHost } from '../host/host-context.ts';
import { reloadPage } from '../host/reload-page.ts';
import { useApi } from './app-context.ts';

/**
 * Returns a function that reloads the page if the server is reachable, as the browser would otherwise show its own error
 * page. It rejects if not.
 */
export function useReloadIfReachable(): () => Promise<void> {
  const api = useApi();
  const host = useHost();
  return useCallback(async () => {
    await api.call('getConfig');
    reloadPage(host);
  }, [api, host]);
}
