import type { PublicConfig } from '@parley/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from './app/app-context.ts';
import { saveConfig } from './cached-start-data.ts';
import { useSwitchLanguage } from './i18n/use-language.ts';
import { fetchStartData, type StartData } from './start-data.ts';

/** The progress of the app's start. */
export interface AppStartState {
  /** The server's configuration; undefined until the screens can be shown. */
  config: PublicConfig | undefined;
  /** Why the start failed; undefined if there is something to show. */
  failure: { error: unknown } | undefined;
  /** Why the user is not known, although a static page is shown; undefined if the user is known. */
  userFailure: StartData['userFailure'];
  retry: () => void;
  /** Fetches the start data again if the server has been unreachable so far. */
  verify: () => void;
}

/**
 * Starts the session with the fetched or the cached data, whichever is available first. Cached data is
 * verified as soon as the server can be reached.
 */
export function useAppStart(
  fetchedData: Promise<StartData>,
  cachedData: Promise<StartData | undefined>,
): AppStartState {
  const { api, session } = useApp();
  const switchLanguage = useSwitchLanguage();
  const [startData, setStartData] = useState(() => fetchedData);
  const [config, setConfig] = useState<PublicConfig>();
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [userFailure, setUserFailure] = useState<StartData['userFailure']>();
  const isVerified = useRef(false);
  const isServerUnreachable = useRef(false);

  const refetch = useCallback(() => {
    isServerUnreachable.current = false;
    setFailure(undefined);
    const data = fetchStartData(api, location.pathname);
    // Its failure is shown once it is rendered, which may be later.
    data.catch(() => undefined);
    setStartData(data);
  }, [api]);

  useEffect(() => {
    let isCurrent = true;
    const showCached = async (): Promise<void> => {
      const cached = await cachedData;
      if (!cached || !isCurrent || isVerified.current) return;
      if (cached.user) {
        await switchLanguage(cached.user.language);
        const { user, endReason, begin } = session.getState();
        if (!isCurrent || isVerified.current || user || endReason) return;
        begin(cached.user);
      }
      setConfig(cached.config);
    };
    void showCached();
    return () => {
      isCurrent = false;
    };
  }, [cachedData, session, switchLanguage]);

  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const { config: fetched, user, userFailure: newFailure } = await startData;
      // A cached user takes precedence over the failure.
      if (newFailure) await cachedData;
      if (!isCurrent) return;
      isVerified.current = newFailure === undefined;
      isServerUnreachable.current = newFailure !== undefined;
      saveConfig(fetched);
      if (user) await switchLanguage(user.language);
      if (!isCurrent) return;
      // The server's user replaces a different cached user.
      if (user) session.getState().begin(user);
      setUserFailure(newFailure);
      setConfig(fetched);
    };
    const fail = async (error: unknown): Promise<void> => {
      // Cached data takes precedence over the failure. A guest may already be typing.
      await cachedData;
      if (!isCurrent) return;
      isServerUnreachable.current = true;
      setFailure({ error });
    };
    show().catch(fail);
    return () => {
      isCurrent = false;
    };
  }, [startData, cachedData, session, switchLanguage]);

  return {
    config,
    failure: config === undefined ? failure : undefined,
    userFailure,
    retry: refetch,
    verify: useCallback(() => {
      if (isServerUnreachable.current) refetch();
    }, [refetch]),
  };
}
