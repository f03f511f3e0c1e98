import { UI } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

interface Redirect {
  /** Whether the delay before the redirect is running. */
  isRedirecting: boolean;
  /** Navigates to `path` after the success message has been shown, unless the user leaves the screen first. */
  redirectTo: (path: string, state?: unknown) => void;
}

/** Returns a function that redirects with a delay after a form has succeeded. */
export function useRedirect(): Redirect {
  const navigate = useNavigate();
  const [target, setTarget] = useState<{ path: string; state: unknown }>();
  useEffect(() => {
    if (!target) return undefined;
    const timer = setTimeout(
      () => void navigate(target.path, { state: target.state }),
      UI.redirectDelay,
    );
    return () => clearTimeout(timer);
  }, [target, navigate]);
  return {
    isRedirecting: target !== undefined,
    redirectTo: (path, state) => setTarget({ path, state }),
  };
}
