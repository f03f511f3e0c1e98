import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Creates the server's logger: human-readable in a terminal, JSON lines elsewhere. */
export function createLog(level: string, isTerminal: boolean): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  // Uses a stream instead of a transport, because a transport's worker thread cannot start in a
  // single binary.
  return isTerminal
    ? pino(options, pretty({ colorize: true, ignore: 'reqId', translateTime: 'SYS:HH:MM:ss' }))
    : pino(options);
}
