import type { StoredStartFacts } from '@parley/client';
import type { PublicConfig } from '@parley/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from './app/app-context.ts';
import { useSwitchLanguage } from './i18n/use-language.ts';
import { fetchStartFacts, type StartFacts } from './start-facts.ts';

/** How the start of the app stands. */
interface StartState {
  /** Undefined until the screens can be shown. */
  config: PublicConfig | undefined;
  /** Why there is nothing to show. */
  failure: { error: unknown } | undefined;
  retry: () => void;
  /** Asks the server again if it could not say yet who is signed in. */
  verify: () => void;
}

/**
 * Begins with what the server says, or with what is kept from the last start if that is there before: the
 * server then confirms it or ends it as soon as it can be reached.
 */
export function useStart(
  firstFacts: Promise<StartFacts>,
  lastFacts: Promise<StoredStartFacts | undefined>,
): StartState {
  const { api, session } = useApp();
  const switchLanguage = useSwitchLanguage();
  const [facts, setFacts] = useState(() => firstFacts);
  const [config, setConfig] = useState<PublicConfig>();
  const [failure, setFailure] = useState<{ error: unknown }>();
  const isVerified = useRef(false);
  const isUnreached = useRef(false);

  const ask = useCallback(() => {
    isUnreached.current = false;
    setFailure(undefined);
    setFacts(fetchStartFacts(api, location.pathname));
  }, [api]);

  useEffect(() => {
    let isCurrent = true;
    const showKept = async (): Promise<void> => {
      const kept = await lastFacts;
      if (!kept || !isCurrent || isVerified.current) return;
      await switchLanguage(kept.user.language);
      const { user, ended, begin } = session.getState();
      if (!isCurrent || isVerified.current || user || ended) return;
      begin(kept.user);
      setConfig(kept.config);
    };
    void showKept();
    return () => {
      isCurrent = false;
    };
  }, [lastFacts, session, switchLanguage]);

  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const { config: fetched, user } = await facts;
      if (!isCurrent) return;
      isVerified.current = true;
      if (user) await switchLanguage(user.language);
      if (!isCurrent) return;
      // Also in the place of another one, who is shown from the copy.
      if (user) session.getState().begin(user);
      setConfig(fetched);
    };
    const fail = async (error: unknown): Promise<void> => {
      // What is kept takes the place of the server, where it is there.
      await lastFacts;
      if (!isCurrent) return;
      isUnreached.current = true;
      setFailure({ error });
    };
    show().catch(fail);
    return () => {
      isCurrent = false;
    };
  }, [facts, lastFacts, session, switchLanguage]);

  return {
    config,
    failure: config === undefined ? failure : undefined,
    retry: ask,
    verify: useCallback(() => {
      if (isUnreached.current) ask();
    }, [ask]),
  };
}
