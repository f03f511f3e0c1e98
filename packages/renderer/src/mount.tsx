import './ui/base.css';
import { toLanguage } from '@parley/texts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { AppContext } from './app/app-context.ts';
import { createApp } from './app/create-app.ts';
import { signedInHere } from './app/signed-in-hint.ts';
import { blockPinch } from './block-pinch.ts';
import { blockStrayDrops } from './block-stray-drops.ts';
import type { Host } from './host/host.ts';
import { createI18n } from './i18n/i18n.ts';
import { initialLanguage } from './i18n/initial-language.ts';
import { cleanUpLater, readLastFacts } from './kept-facts.ts';
import { signedInScreens } from './routes/screens.ts';
import { watchFirstGesture } from './sounds/first-gesture.ts';
import { fetchStartFacts } from './start-facts.ts';
import { Start } from './Start.tsx';

/** Shows the application in `element`. The only entry of this package. */
export async function mount(host: Host, element: HTMLElement): Promise<void> {
  const app = createApp(host);
  blockPinch(document);
  blockStrayDrops(document);
  watchFirstGesture(host.playsWithoutGesture !== true);
  const facts = fetchStartFacts(app.api, location.pathname);
  // Start shows its failure; this keeps it from counting as unhandled until then.
  facts.catch(() => undefined);
  const lastFacts = readLastFacts(host, app.settings.getState().keepsCopy);
  // The code of a user's screens, as early as what they show; the router reports a failure when it needs it.
  if (signedInHere() !== undefined) signedInScreens.shell().catch(() => undefined);
  cleanUpLater(host);
  const i18n = await createI18n(initialLanguage());
  const tellLanguage = (): void => host.setLanguage?.(toLanguage(i18n.language));
  i18n.on('languageChanged', tellLanguage);
  tellLanguage();
  createRoot(element).render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <AppContext value={app}>
          <Start host={host} firstFacts={facts} lastFacts={lastFacts} />
        </AppContext>
      </I18nextProvider>
    </StrictMode>,
  );
}
