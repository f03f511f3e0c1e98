import { Deadlines } from './deadlines.ts';
import type { LiveSocket, ConnectionContext } from './live-socket.ts';

/** What all connections of a server share: their bounds and their timers. */
export function createConnectionContext(
  deps: Pick<ConnectionContext, 'limits' | 'log' | 'isSessionActive' | 'onClosed'>,
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
