import { useEffect, useState } from 'react';
import { useApi, useSessionStore } from '../../app/app-context.ts';
import { startRequest } from './start-request.ts';

interface FreshUser {
  status: 'loading' | 'ready' | 'failed';
  /** The error of a failed request. */
  error: unknown;
  retry: () => void;
}

/** Fetches the current user, as another device may have changed the settings, and updates the session store. */
export function useFreshUser(): FreshUser {
  const api = useApi();
  const session = useSessionStore();
  const [status, setStatus] = useState<FreshUser['status']>('loading');
  const [error, setError] = useState<unknown>();

  const [request, setRequest] = useState(() => startRequest(() => api.call('getCurrentUser')));

  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const user = await request;
      if (!isCurrent) return;
      session.getState().begin(user);
      setStatus('ready');
    };
    show().catch((cause: unknown) => {
      if (!isCurrent) return;
      setError(cause);
      setStatus('failed');
    });
    return () => {
      isCurrent = false;
    };
  }, [request, session]);

  return {
    status,
    error,
    retry: () => {
      setStatus('loading');
      setRequest(api.call('getCurrentUser'));
    },
  };
}
