import type { Page } from 'playwright/test';

/**
 * Changes what a page receives live as if its server were newer: texts that contain `text` become messages of a kind
 * that the page does not know, with more fields, and an unknown event follows each. Call it before the page connects.
 */
export async function receiveNewerKind(page: Page, text: string): Promise<void> {
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((packet) => {
      if (
        typeof packet !== 'string' ||
        !packet.startsWith('42["message"') ||
        !packet.includes(text)
      ) {
        socket.send(packet);
        return;
      }
      socket.send(packet.replace('"kind":"text"', '"kind":"poll","choices":["yes",{"no":null}]'));
      socket.send('42["poll-opened",{"choices":2}]');
    });
  });
}
