import { endpoints } from '@parley/contract';
import { WebSocket } from 'ws';

/**
 * Opens a live connection: the protocol by hand, as thousands of the client library's would measure the
 * library. Resolves once events flow.
 * @param onPacket gets each packet that is neither of the handshake nor a ping
 */
export function openLive(
  url: string,
  cookie: string,
  onPacket: (packet: string) => void = () => undefined,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const address = `${url.replace('http', 'ws')}${endpoints.connect.path}?EIO=4&transport=websocket`;
    const socket = new WebSocket(address, { headers: { cookie }, perMessageDeflate: false });
    socket.on('error', reject);
    socket.on('message', (data) => {
      const packet = (data as Buffer).toString();
      if (packet.startsWith('0')) socket.send('40');
      else if (packet.startsWith('40')) resolve(socket);
      else if (packet === '2') socket.send('3');
      else onPacket(packet);
    });
  });
}
