import type { ShellBridge } from '../ipc/shell-bridge.ts';

declare global {
  interface Window {
    /** Put there by the preload. */
    readonly parleyShell: ShellBridge;
  }
}
