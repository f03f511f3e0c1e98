import { UI } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';

interface Redirect {
  /** Whether a redirect is on its way. */
  isPending: boolean;
  /** Goes to `path` after the time that the success message is given; not if the screen is left before. */
  redirectTo: (path: string, state?: unknown) => void;
}

/** The change of screen that follows a success. */
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
    isPending: target !== undefined,
    redirectTo: (path, state) => setTarget({ path, state }),
  };
}
