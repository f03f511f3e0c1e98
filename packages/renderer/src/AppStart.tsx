import { checkApiVersion, type PublicConfig } from '@parley/contract';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useApp, useSession } from './app/app-context.ts';
import { Splash } from './features/frame/Splash.tsx';
import { StartError } from './features/frame/StartError.tsx';
import { VersionMismatch } from './features/frame/VersionMismatch.tsx';
import { HostContext } from './host/host-context.ts';
import type { Host } from './host/host.ts';
import { useLoadScreenTexts, useSwitchLanguage } from './i18n/use-language.ts';
import { chatPath, messagePath, PATHS } from './navigation/paths.ts';
import { createRouter, type AppRouter } from './routes/router.tsx';
import type { StartData } from './start-data.ts';
import { useAppStart, type AppStartState } from './use-app-start.ts';

interface AppStartProps {
  host: Host;
  /** Requested before React is ready. */
  fetchedData: Promise<StartData>;
  /** The data stored by an earlier start; undefined if there is none. */
  cachedData: Promise<StartData | undefined>;
}

/** Shows the app once its start data is available, or an error with a retry button. */
export function AppStart({ host, fetchedData, cachedData }: AppStartProps) {
  const { mismatch } = useApp();
  const { t } = useTranslation();
  const start = useAppStart(fetchedData, cachedData);
  const config = useStore(mismatch, (state) => state.config) ?? start.config;

  if (start.failure) {
    return (
      <StartError
        error={start.failure.error}
        onRetry={start.retry}
        onReviewCertificate={host.reviewCertificate}
      />
    );
  }
  if (config === undefined) {
    const isPrivacy = location.pathname === PATHS.privacy;
    return <Splash label={isPrivacy ? t('privacy.loading') : t('app.loading')} />;
  }
  const result = checkApiVersion(config);
  if (result !== 'compatible') {
    const outdated = result === 'client-too-old' ? 'client' : 'server';
    return <VersionMismatch outdated={outdated} host={host} />;
  }
  return <Screens host={host} config={config} start={start} />;
}

interface ScreensProps {
  host: Host;
  config: PublicConfig;
  start: Pick<AppStartState, 'verify' | 'retry' | 'userFailure'>;
}

function Screens({ host, config, start }: ScreensProps) {
  const { verify: onConnected, retry, userFailure } = start;
  const appRouter = useAppRouter();
  const openPath = appRouter?.openPath;
  const switchLanguage = useSwitchLanguage();
  const language = useSession(({ user }) => user?.language);
  // The user may change the account's language on another device.
  useEffect(() => {
    if (language !== undefined) void switchLanguage(language);
  }, [language, switchLanguage]);
  useEffect(
    () =>
      openPath &&
      host.onOpenChat?.((chatroom, seq) =>
        openPath(seq === undefined ? chatPath(chatroom) : messagePath(chatroom, seq)),
      ),
    [host, openPath],
  );
  useEffect(() => openPath && host.onOpenPath?.(openPath), [host, openPath]);
  const hostContext = useMemo(
    () => ({ host, config, onConnected, unknownUser: userFailure && { ...userFailure, retry } }),
    [host, config, onConnected, userFailure, retry],
  );
  return (
    <HostContext value={hostContext}>
      {appRouter && <RouterProvider router={appRouter.router} />}
    </HostContext>
  );
}

/** Creates the router, and disposes of it on unmount, as it would change the history of the page further on. */
function useAppRouter(): AppRouter | undefined {
  const loadScreenTexts = useLoadScreenTexts();
  const [holder] = useState(() => createStore<{ appRouter?: AppRouter }>()(() => ({})));
  // Before the first paint.
  useLayoutEffect(() => {
    const appRouter = createRouter(loadScreenTexts);
    holder.setState({ appRouter });
    return appRouter.dispose;
  }, [holder, loadScreenTexts]);
  return useStore(holder, (state) => state.appRouter);
}
