import type { PickerBridge } from '../ipc/picker-bridge.ts';

declare global {
  interface Window {
    /** The API that the preload exposes. */
    readonly parleyPicker: PickerBridge;
  }
}
