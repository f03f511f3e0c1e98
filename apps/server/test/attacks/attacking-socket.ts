import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { AttackTarget } from './attack.ts';

/** Opens a live connection of an account. Resolves to undefined if it is refused, or the attack ends before. */
export async function openAttackingSocket(
  { url, signal }: Pick<AttackTarget, 'url' | 'signal'>,
  cookie: string,
): Promise<WebSocket | undefined> {
  const headers = { cookie };
  const socket = new WebSocket(`${url}/socket.io/?EIO=4&transport=websocket`, { headers });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'open', { signal });
  } catch {
    socket.terminate();
    return undefined;
  }
  socket.send('40');
  return socket;
}
