import type { DesktopBridge, DesktopEvent, DesktopStart } from '@parley/contract';
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { CHANNELS } from '../ipc/channels.ts';

// Null for a page that the main process does not trust: it gets no bridge at all.
const start = ipcRenderer.sendSync(CHANNELS.start) as DesktopStart | null;

if (start !== null) {
  contextBridge.exposeInMainWorld('parley', {
    start,
    notify: (notification) => ipcRenderer.invoke(CHANNELS.notify, notification),
    withdraw: (chatroom) => ipcRenderer.send(CHANNELS.withdraw, chatroom),
    testNotification: () => ipcRenderer.invoke(CHANNELS.testNotification),
    setUnread: (unread) => ipcRenderer.send(CHANNELS.setUnread, unread),
    microphone: () => ipcRenderer.invoke(CHANNELS.microphone),
    openMicrophoneSettings: () => ipcRenderer.send(CHANNELS.openMicrophoneSettings),
    setPreferences: (changed) => ipcRenderer.invoke(CHANNELS.setPreferences, changed),
    setLanguage: (language) => ipcRenderer.send(CHANNELS.setLanguage, language),
    onEvent: (listener) => {
      // The event itself has the sender in it, which is no page's business.
      const hear = (_event: IpcRendererEvent, happened: DesktopEvent): void => listener(happened);
      ipcRenderer.on(CHANNELS.event, hear);
      ipcRenderer.send(CHANNELS.ready);
      return () => void ipcRenderer.off(CHANNELS.event, hear);
    },
  } satisfies DesktopBridge);
}
