import { Deadlines } from './deadlines.ts';
import type { LiveConnection, Protocol } from './live-connection.ts';

/** What all connections of a server share: their bounds and their timers. */
export function createProtocol(
  deps: Pick<Protocol, 'limits' | 'log' | 'isSessionLive' | 'onClosed'>,
): Protocol {
  const { connectTimeout, pingInterval, pingTimeout } = deps.limits;
  return {
    ...deps,
    connectDeadlines: new Deadlines<LiveConnection>(connectTimeout, (connection) =>
      connection.close('connectTimeout'),
    ),
    pingDeadlines: new Deadlines<LiveConnection>(pingInterval, (connection) => connection.ping()),
    pongDeadlines: new Deadlines<LiveConnection>(pingTimeout, (connection) =>
      connection.close('pingTimeout'),
    ),
  };
}
