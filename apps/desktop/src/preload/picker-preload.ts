import { contextBridge, ipcRenderer } from 'electron';
import { PICKER_CHANNELS, type PickerBridge, type PickerStart } from '../ipc/picker-bridge.ts';

const start = ipcRenderer.sendSync(PICKER_CHANNELS.start) as PickerStart | null;

if (start !== null) {
  contextBridge.exposeInMainWorld('parleyPicker', {
    start,
    check: (address, pinned) => ipcRenderer.invoke(PICKER_CHANNELS.check, address, pinned),
    add: (choice) => ipcRenderer.invoke(PICKER_CHANNELS.add, choice),
    open: (origin) => ipcRenderer.send(PICKER_CHANNELS.open, origin),
    remove: (origin) => ipcRenderer.invoke(PICKER_CHANNELS.remove, origin),
  } satisfies PickerBridge);
}
