import type { ShellBridge } from '../ipc/shell-bridge.ts';

declare global {
  interface Window {
    /** Exposed by the preload. */
    readonly parleyShell: ShellBridge;
  }
}
