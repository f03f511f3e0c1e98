import type { HandshakeErrorResponse } from '@parley/contract';

/** Returns why a handshake is refused, or undefined if the websocket may be opened. */
export function findHandshakeRefusal(
  query: unknown,
  isUpgrade: boolean,
): HandshakeErrorResponse | undefined {
  const { EIO, transport, sid } = query as Record<string, unknown>;
  if (EIO !== '4') return { code: 5, message: 'Unsupported protocol version' };
  if (transport !== 'websocket') return { code: 0, message: 'Transport unknown' };
  // Sessions never start with another transport, so there is none to upgrade.
  if (sid !== undefined) return { code: 1, message: 'Session ID unknown' };
  if (!isUpgrade) return { code: 3, message: 'Bad request' };
  return undefined;
}
