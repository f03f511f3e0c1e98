import type { BrowserWindow } from './fake-electron.ts';

/** Sends messages and receives responses, which are cloned, as the page in a window's main frame does. */
export function createFakePage({ webContents }: BrowserWindow) {
  const event = { sender: webContents, senderFrame: webContents.mainFrame, returnValue: undefined };
  return {
    send: (channel: string, ...args: unknown[]) =>
      webContents.ipc.emit(channel, event, ...structuredClone(args)),
    invoke: async (channel: string, ...args: unknown[]) =>
      structuredClone(
        await webContents.ipc.handlers.get(channel)?.(event, ...structuredClone(args)),
      ),
    sendSync: (channel: string): unknown => {
      webContents.ipc.emit(channel, event);
      return structuredClone(event.returnValue);
    },
  };
}
