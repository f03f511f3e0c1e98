import type { DesktopBridge, RefusedDesktopBridge } from '@parley/contract';
import type { Host } from '@parley/renderer/host';
import { createBrowserHost } from './browser-host.ts';

declare global {
  interface Window {
    /** Set by the desktop app before the page starts; undefined in browsers. */
    readonly parley?: DesktopBridge | RefusedDesktopBridge;
  }
}

/** The desktop app refused the bridge. The page must not continue as if it ran in a browser. */
export class BridgeRefusedError extends Error {
  override readonly name = 'BridgeRefusedError';
}

/**
 * Creates the host for the environment of the page. Browsers and the desktop app load the same build, but
 * only the desktop app loads its own host.
 * @throws {BridgeRefusedError} if the desktop app refused the bridge.
 */
export async function chooseHost(): Promise<Host> {
  const { parley } = window;
  if (!parley) return createBrowserHost();
  if (parley.start === null) throw new BridgeRefusedError('the desktop app did not respond');
  const { createDesktopHost } = await import('./desktop-host.ts');
  return createDesktopHost(parley);
}
