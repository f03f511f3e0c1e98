import type { BrowserWindow } from './fake-electron.ts';

/** Sends messages as the page in a window's main frame does. */
export function createFakePage({ webContents }: BrowserWindow) {
  const event = { sender: webContents, senderFrame: webContents.mainFrame, returnValue: undefined };
  return {
    send: (channel: string, ...args: unknown[]) => webContents.ipc.emit(channel, event, ...args),
    invoke: async (channel: string, ...args: unknown[]) =>
      webContents.ipc.handlers.get(channel)?.(event, ...args),
    sendSync: (channel: string): unknown => {
      webContents.ipc.emit(channel, event);
      return event.returnValue;
    },
  };
}
