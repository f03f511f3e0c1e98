import './ui/base.css';
import { toLanguage } from '@parley/texts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { createApiClient } from './api/client.ts';
import { ApiContext } from './api/api-context.ts';
import { blockPinch } from './block-pinch.ts';
import { blockStrayDrops } from './block-stray-drops.ts';
import type { Host } from './host/host.ts';
import { createI18n } from './i18n/i18n.ts';
import { initialLanguage } from './i18n/initial-language.ts';
import { watchFirstGesture } from './sounds/first-gesture.ts';
import { fetchStartFacts } from './start-facts.ts';
import { Start } from './Start.tsx';
import { useConnection } from './stores/connection.ts';
import { restoreSettings } from './stores/settings.ts';
import { useSession } from './stores/session.ts';
import {
  noteSignedIn,
  noteSignedOut,
  signedInHere,
  watchSignedIn,
} from './stores/signed-in-hint.ts';

/** Shows the application in `element`. The only entry of this package. */
export async function mount(host: Host, element: HTMLElement): Promise<void> {
  restoreSettings();
  blockPinch(document);
  blockStrayDrops(document);
  watchFirstGesture(host.playsWithoutGesture !== true);
  const api = createApiClient({
    origin: host.serverOrigin,
    isSomebodyElse,
    onUnauthenticated: () => useSession.getState().end('expired'),
  });
  useSession.subscribe(({ user }, { user: before }) => {
    if (user?.username === before?.username) return;
    if (user) noteSignedIn(user.username);
    else noteSignedOut(before?.username);
  });
  watchSignedIn(() => {
    if (isSomebodyElse()) useSession.getState().end('expired');
  });
  host.onCertificate?.(useConnection.getState().setCertificateRefused);
  const facts = fetchStartFacts(api, location.pathname);
  // Start shows its failure; this keeps it from counting as unhandled until then.
  facts.catch(() => undefined);
  const i18n = await createI18n(initialLanguage());
  const tellLanguage = (): void => host.setLanguage?.(toLanguage(i18n.language));
  i18n.on('languageChanged', tellLanguage);
  tellLanguage();
  createRoot(element).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <ApiContext value={api}>
          <Start host={host} firstFacts={facts} />
        </ApiContext>
      </I18nextProvider>
    </StrictMode>,
  );
}

/** Whether the browser's cookie is another person's than the one shown here: they signed in in another tab. */
function isSomebodyElse(): boolean {
  const { user } = useSession.getState();
  const now = signedInHere();
  return user !== undefined && now !== undefined && now !== user.username;
}
