import { shell, type WebContents } from 'electron';
import { log } from '../log/log.ts';
import { isOwnScreen, planOpen } from './navigation.ts';

/**
 * Restricts a page to its own origin. Other addresses open in the system's programs or not at all.
 * @param openScreen opens one of the page's screens in its window
 */
export function lockPage(
  contents: WebContents,
  pageOrigin: string,
  openScreen: (url: string) => void,
): void {
  function openElsewhere(url: string): void {
    const plan = planOpen(url, pageOrigin);
    if (plan.kind === 'external') {
      shell.openExternal(plan.url).catch((error: unknown) => log.error('not-opened', error));
    }
    if (plan.kind === 'screen') openScreen(plan.url);
    if (plan.kind === 'download') contents.downloadURL(plan.url);
  }

  contents.setWindowOpenHandler(({ url }) => {
    openElsewhere(url);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event) => {
    if (isOwnScreen(event.url, pageOrigin)) return;
    event.preventDefault();
    openElsewhere(event.url);
  });
  contents.on('will-redirect', (event) => {
    if (!isOwnScreen(event.url, pageOrigin)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
