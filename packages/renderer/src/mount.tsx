import './ui/base.css';
import { toLanguage } from '@parley/texts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { AppContext } from './app/app-context.ts';
import { createAppServices } from './app/create-app-services.ts';
import { readSignedInUsername } from './app/signed-in-username.ts';
import { blockPinch } from './block-pinch.ts';
import { fitKeyboard } from './browser/fit-keyboard.ts';
import { ignoreCompositionKeys } from './browser/ignore-composition-keys.ts';
import type { Host } from './host/host.ts';
import { createI18n, preloadScreenTexts } from './i18n/i18n.ts';
import { initialLanguage } from './i18n/initial-language.ts';
import { scheduleStorageCleanup, readCachedStartData } from './cached-start-data.ts';
import { signedInScreens } from './routes/screens.ts';
import { watchUserActivation } from './sounds/user-activation.ts';
import { fetchStartData } from './start-data.ts';
import { AppStart } from './AppStart.tsx';

/**
 * Renders the application into `element`. The entry point of this package. Resolves to a function that unmounts it,
 * for tests.
 */
export async function mount(host: Host, element: HTMLElement): Promise<() => void> {
  const app = createAppServices(host);
  ignoreCompositionKeys(window);
  blockPinch(document);
  blockStrayDrops(document);
  watchUserActivation(host.playsWithoutGesture !== true);
  const fetchedData = fetchStartData(app.api, location.pathname);
  // AppStart reports a failure. This avoids an unhandled rejection until then.
  fetchedData.catch(() => undefined);
  const cachedData = readCachedStartData(host, app.settings.getState().isOfflineCopyEnabled);
  const language = initialLanguage();
  // Loads the frame's code and texts in parallel with the data. The router reports a failure when it needs them.
  if (readSignedInUsername() !== undefined) {
    signedInScreens.frame().catch(() => undefined);
    preloadScreenTexts(language);
  }
  scheduleStorageCleanup(host);
  fitKeyboard(document);
  const i18n = await createI18n(language);
  const reportLanguage = (): void => host.setLanguage?.(toLanguage(i18n.language));
  i18n.on('languageChanged', reportLanguage);
  reportLanguage();
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <AppContext value={app}>
          <AppStart host={host} fetchedData={fetchedData} cachedData={cachedData} />
        </AppContext>
      </I18nextProvider>
    </StrictMode>,
  );
  return () => root.unmount();
}

/** Rejects files dropped outside a drop target. Otherwise, the browser would navigate to them. */
function blockStrayDrops(target: Document): void {
  for (const name of ['dragover', 'drop'] as const) {
    target.addEventListener(name, (event) => {
      const { dataTransfer } = event;
      if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      dataTransfer.dropEffect = 'none';
    });
  }
}
