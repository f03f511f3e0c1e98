import { endpoints } from '@parley/contract';
import { WebSocket } from 'ws';

/**
 * Opens a live connection and resolves once the server sends events. Implements the protocol itself, as
 * thousands of instances of the client library would distort the measurement.
 * @param onPacket called with each packet except those of the handshake and pings
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
