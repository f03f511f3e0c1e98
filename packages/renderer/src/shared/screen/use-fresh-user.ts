import { useEffect, useState } from 'react';
import { fetchCurrentUser } from '../../api/accounts.ts';
import { useApi } from '../../api/api-context.ts';
import { useSession } from '../../stores/session.ts';

interface FreshUser {
  status: 'loading' | 'ready' | 'failed';
  /** Why it failed. */
  error: unknown;
  retry: () => void;
}

/** Fetches the signed-in person anew, as another device may have changed them; the session store has the result. */
export function useFreshUser(): FreshUser {
  const api = useApi();
  const [status, setStatus] = useState<FreshUser['status']>('loading');
  const [error, setError] = useState<unknown>();

  const [request, setRequest] = useState(() => fetchCurrentUser(api));

  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const user = await request;
      if (!isCurrent) return;
      useSession.getState().begin(user);
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
  }, [request]);

  return {
    status,
    error,
    retry: () => {
      setStatus('loading');
      setRequest(fetchCurrentUser(api));
    },
  };
}
