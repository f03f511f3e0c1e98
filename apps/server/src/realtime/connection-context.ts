import { Deadlines } from './deadlines.ts';
import type { LiveSocket, ConnectionContext } from './live-socket.ts';

/** Creates the context that all live connections of a server share, with its timers. */
export function createConnectionContext(
  deps: Omit<ConnectionContext, 'connectDeadlines' | 'pingDeadlines' | 'pongDeadlines'>,
): ConnectionContext {
  const { connectTimeout, pingInterval, pingTimeout } = deps.limits;
  return {
    ...deps,
    connectDeadlines: new Deadlines<LiveSocket>(connectTimeout, (connection) =>
      connection.close('connectTimeout'),
    ),
    pingDeadlines: new Deadlines<LiveSocket>(pingInterval, (connection) => connection.ping()),
    pongDeadlines: new Deadlines<LiveSocket>(pingTimeout, (connection) =>
      connection.close('pingTimeout'),
    ),
  };
}
