import type { DesktopBridge } from '@parley/contract';
import type { Host } from '@parley/renderer/host';
import { createBrowserHost } from './browser-host.ts';

declare global {
  interface Window {
    /** Put there by the desktop app before the page starts; missing in browsers. */
    readonly parley?: DesktopBridge;
  }
}

/**
 * The host of where this page runs: both get the same build. What only the desktop app needs is fetched
 * there only.
 */
export async function chooseHost(): Promise<Host> {
  const { parley } = window;
  if (!parley) return createBrowserHost();
  const { createDesktopHost } = await import('./desktop-host.ts');
  return createDesktopHost(parley);
}
