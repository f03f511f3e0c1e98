import type { ShellBridge } from '../ipc/shell-bridge.ts';

declare global {
  interface Window {
    /** The API that the preload exposes. */
    readonly parleyShell: ShellBridge;
  }
}
