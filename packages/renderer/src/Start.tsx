import { checkApiVersion, type PublicConfig } from '@parley/contract';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router-dom';
import { useStore } from 'zustand';
import { useApp, useSession } from './app/app-context.ts';
import { Splash } from './features/shell/Splash.tsx';
import { StartFailed } from './features/shell/StartFailed.tsx';
import { VersionMismatch } from './features/shell/VersionMismatch.tsx';
import { HostContext } from './host/host-context.ts';
import type { Host } from './host/host.ts';
import { useSwitchLanguage } from './i18n/use-language.ts';
import { chatPath, PATHS } from './routes/paths.ts';
import { createRouter } from './routes/router.tsx';
import { fetchStartFacts, type StartFacts } from './start-facts.ts';

interface StartProps {
  host: Host;
  /** Asked for before React was ready. */
  firstFacts: Promise<StartFacts>;
}

/** Waits for the server's facts, then shows the screens; offers another try where that fails. */
export function Start({ host, firstFacts }: StartProps) {
  const { api, session, mismatch } = useApp();
  const { t } = useTranslation();
  const switchLanguage = useSwitchLanguage();
  const [facts, setFacts] = useState(() => firstFacts);
  const [firstConfig, setConfig] = useState<PublicConfig>();
  const config = useStore(mismatch, (state) => state.config) ?? firstConfig;
  const [failure, setFailure] = useState<{ error: unknown }>();

  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const { config, user } = await facts;
      if (user) await switchLanguage(user.language);
      if (!isCurrent) return;
      if (user) session.getState().begin(user);
      setConfig(config);
    };
    show().catch((error: unknown) => {
      if (isCurrent) setFailure({ error });
    });
    return () => {
      isCurrent = false;
    };
  }, [facts, session, switchLanguage]);

  if (failure) {
    const retry = (): void => {
      setFailure(undefined);
      setFacts(fetchStartFacts(api, location.pathname));
    };
    return (
      <StartFailed
        error={failure.error}
        onRetry={retry}
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
  return <Screens host={host} config={config} />;
}

function Screens({ host, config }: { host: Host; config: PublicConfig }) {
  const router = useMemo(() => createRouter(), []);
  const switchLanguage = useSwitchLanguage();
  const language = useSession(({ user }) => user?.language);
  // Set on another device, too: the account's language is what its owner reads.
  useEffect(() => {
    if (language !== undefined) void switchLanguage(language);
  }, [language, switchLanguage]);
  useEffect(
    () => host.onOpenChat?.((chatroom) => void router.navigate(chatPath(chatroom))),
    [host, router],
  );
  const surroundings = useMemo(() => ({ host, config }), [host, config]);
  return (
    <HostContext value={surroundings}>
      <RouterProvider router={router} />
    </HostContext>
  );
}
