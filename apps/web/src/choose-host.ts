import type { DesktopBridge, RefusedDesktopBridge } from '@parley/contract';
import type { Host } from '@parley/renderer/host';
import { createBrowserHost } from './browser-host.ts';

declare global {
  interface Window {
    /** Put there by the desktop app before the page starts; missing in browsers. */
    readonly parley?: DesktopBridge | RefusedDesktopBridge;
  }
}

/** The desktop app refused its bridge to this page, which must not go on as if it were in a browser. */
export class BridgeRefusedError extends Error {
  override readonly name = 'BridgeRefusedError';
}

/**
 * The host of where this page runs: both get the same build. What only the desktop app needs is fetched
 * there only.
 * @throws {BridgeRefusedError}
 */
export async function chooseHost(): Promise<Host> {
  const { parley } = window;
  if (!parley) return createBrowserHost();
  if (parley.start === null) throw new BridgeRefusedError('the desktop app did not answer');
  const { createDesktopHost } = await import('./desktop-host.ts');
  return createDesktopHost(parley);
}
