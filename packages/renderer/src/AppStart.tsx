import { checkApiVersion, type PublicConfig } from '@parley/contract';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router-dom';
import { useStore } from 'zustand';
import { useApp, useSession } from './app/app-context.ts';
import { Splash } from './features/shell/Splash.tsx';
import { StartError } from './features/shell/StartError.tsx';
import { VersionMismatch } from './features/shell/VersionMismatch.tsx';
import { HostContext } from './host/host-context.ts';
import type { Host } from './host/host.ts';
import { useLoadScreenTexts, useSwitchLanguage } from './i18n/use-language.ts';
import { chatPath, PATHS } from './routes/paths.ts';
import { createRouter } from './routes/router.tsx';
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
  const loadScreenTexts = useLoadScreenTexts();
  const { router, openPath } = useMemo(() => createRouter(loadScreenTexts), [loadScreenTexts]);
  const switchLanguage = useSwitchLanguage();
  const language = useSession(({ user }) => user?.language);
  // The user may change the account's language on another device.
  useEffect(() => {
    if (language !== undefined) void switchLanguage(language);
  }, [language, switchLanguage]);
  useEffect(() => host.onOpenChat?.((chatroom) => openPath(chatPath(chatroom))), [host, openPath]);
  useEffect(() => host.onOpenPath?.(openPath), [host, openPath]);
  const hostContext = useMemo(
    () => ({ host, config, onConnected, unknownUser: userFailure && { ...userFailure, retry } }),
    [host, config, onConnected, userFailure, retry],
  );
  return (
    <HostContext value={hostContext}>
      <RouterProvider router={router} />
    </HostContext>
  );
}
