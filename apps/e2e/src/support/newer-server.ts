import type { Page } from 'playwright/test';

/**
 * Changes what a page receives as if its server were newer: texts that contain `text` become messages of a kind that
 * the page does not know, with more fields, and an unknown event follows each that arrives live. Call it before the
 * page connects.
 */
export async function receiveNewerKind(page: Page, text: string): Promise<void> {
  const change = (_key: string, value: unknown): unknown =>
    isTextWith(text, value) ? { ...value, kind: 'poll', choices: ['yes', { no: null }] } : value;
  // A page that loads a chatroom while a message arrives may get it in both ways.
  await page.route('**/api/chatrooms/**', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    if (!body.includes(text)) return route.fulfill({ response, body });
    return route.fulfill({ response, body: JSON.stringify(JSON.parse(body, change)) });
  });
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((packet) => {
      if (typeof packet !== 'string' || !packet.startsWith('42') || !packet.includes(text)) {
        socket.send(packet);
        return;
      }
      socket.send(`42${JSON.stringify(JSON.parse(packet.slice(2), change))}`);
      socket.send('42["poll-opened",{"choices":2}]');
    });
  });
}

/** Returns whether a part of a response or an event is a text message that contains `text`. */
function isTextWith(text: string, value: unknown): value is { kind: 'text'; content: string } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('kind' in value) || value.kind !== 'text' || !('content' in value)) return false;
  return typeof value.content === 'string' && value.content.includes(text);
}
