import { contextBridge, ipcRenderer } from 'electron';
import type { ShellBridge, ShellStart } from '../ipc/shell-bridge.ts';
import { SHELL_CHANNELS } from '../ipc/shell-channels.ts';

const start = ipcRenderer.sendSync(SHELL_CHANNELS.start) as ShellStart | null;

if (start !== null) {
  contextBridge.exposeInMainWorld('parleyShell', {
    start,
    check: (address, pinned) => ipcRenderer.invoke(SHELL_CHANNELS.check, address, pinned),
    add: (choice) => ipcRenderer.invoke(SHELL_CHANNELS.add, choice),
    open: (origin) => ipcRenderer.send(SHELL_CHANNELS.open, origin),
    remove: (origin) => ipcRenderer.invoke(SHELL_CHANNELS.remove, origin),
  } satisfies ShellBridge);
}
