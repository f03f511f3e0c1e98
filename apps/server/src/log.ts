import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** The server's log: readable in a terminal, JSON lines elsewhere. */
export function createLog(level: string, isTerminal: boolean): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  // As a stream, not as a transport: a worker thread has no file to start from in a single binary.
  return isTerminal
    ? pino(options, pretty({ colorize: true, ignore: 'reqId', translateTime: 'SYS:HH:MM:ss' }))
    : pino(options);
}
