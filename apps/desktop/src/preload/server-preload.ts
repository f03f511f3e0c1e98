import type {
  DesktopBridge,
  DesktopEvent,
  DesktopStart,
  RefusedDesktopBridge,
} from '@parley/contract';
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { CHANNELS } from '../ipc/channels.ts';

/** Requests the initial values of the bridge. Returns null if the main process refuses or does not respond. */
function requestStart(): DesktopStart | null {
  try {
    return (ipcRenderer.sendSync(CHANNELS.start) as DesktopStart | null | undefined) ?? null;
  } catch {
    return null;
  }
}

const start = requestStart();

if (start === null) {
  // Without any bridge, the page would behave as in a browser instead of reporting the problem.
  const refused: RefusedDesktopBridge = { start };
  contextBridge.exposeInMainWorld('parley', refused);
} else {
  contextBridge.exposeInMainWorld('parley', {
    start,
    notify: (notification) => ipcRenderer.invoke(CHANNELS.notify, notification),
    isDoNotDisturb: () => ipcRenderer.invoke(CHANNELS.isDoNotDisturb),
    withdraw: (chatroom) => ipcRenderer.send(CHANNELS.withdrawNotification, chatroom),
    testNotification: () => ipcRenderer.invoke(CHANNELS.testNotification),
    setUnread: (unread) => ipcRenderer.send(CHANNELS.setUnread, unread),
    microphone: () => ipcRenderer.invoke(CHANNELS.getMicrophoneState),
    openMicrophoneSettings: () => ipcRenderer.send(CHANNELS.openMicrophoneSettings),
    manageServers: () => ipcRenderer.send(CHANNELS.manageServers),
    checkForUpdates: () => ipcRenderer.send(CHANNELS.checkForUpdates),
    reviewCertificate: () => ipcRenderer.send(CHANNELS.reviewCertificate),
    setPreferences: (changed) => ipcRenderer.invoke(CHANNELS.setPreferences, changed),
    setLanguage: (language) => ipcRenderer.send(CHANNELS.setLanguage, language),
    storageKey: () => ipcRenderer.invoke(CHANNELS.storageKey),
    followUpload: (id, onProgress) => {
      const handle = (_event: IpcRendererEvent, uploadId: string, share: number): void => {
        if (uploadId === id) onProgress(share);
      };
      ipcRenderer.on(CHANNELS.uploadProgress, handle);
      return () => {
        ipcRenderer.off(CHANNELS.uploadProgress, handle);
        ipcRenderer.send(CHANNELS.endUpload, id);
      };
    },
    onEvent: (listener) => {
      // Electron's own event contains the sender, so the listener does not get it.
      const handle = (_event: IpcRendererEvent, payload: DesktopEvent): void => listener(payload);
      ipcRenderer.on(CHANNELS.event, handle);
      ipcRenderer.send(CHANNELS.ready);
      return () => void ipcRenderer.off(CHANNELS.event, handle);
    },
  } satisfies DesktopBridge);
}
