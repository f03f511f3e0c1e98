import { useCallback, useEffect, useState } from 'react';
import { useUser } from '../../app/app-context.ts';
import { useHost } from '../../host/host-context.ts';
import type { SharedContent } from '../../host/shared-content.ts';
import { logFailure } from '../../logging/log-failure.ts';

type ShareState =
  | { status: 'loading' | 'none' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; content: SharedContent };

/** Loads the shared content with an id, or the newest one if there is none with it. */
export function useSharedContent(id: string | null): { state: ShareState; retry: () => void } {
  const { sharedContent } = useHost();
  const { username } = useUser();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ attempt: number; state: ShareState }>();

  useEffect(() => {
    let isCancelled = false;
    const load = async (): Promise<ShareState> => {
      if (!sharedContent) return { status: 'none' };
      const ids = await sharedContent.list(username);
      const wanted = ids.find((each) => each === id) ?? ids[0];
      const content = wanted === undefined ? undefined : await sharedContent.read(wanted, username);
      return content ? { status: 'ready', content } : { status: 'none' };
    };
    load()
      .catch((error: unknown): ShareState => {
        logFailure('loading shared content', error);
        return { status: 'failed', error };
      })
      .then(
        (state) => !isCancelled && setLoaded({ attempt, state }),
        () => undefined,
      );
    return () => {
      isCancelled = true;
    };
  }, [sharedContent, username, id, attempt]);

  const retry = useCallback(() => {
    setAttempt((before) => before + 1);
  }, []);
  return { state: loaded?.attempt === attempt ? loaded.state : { status: 'loading' }, retry };
}
