import { createContext, useContext } from 'react';
import type { ApiClient } from './client.ts';

/** The server's API for the whole tree; `mount` provides it. */
export const ApiContext = createContext<ApiClient | undefined>(undefined);

/** The server's API. Only inside the tree that `mount` renders. */
export function useApi(): ApiClient {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi needs an ApiContext above it');
  return api;
}
