import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Bytes of lines that wait until they can be written. Further ones are lost. */
const WAITING_MAX = 1024 * 1024;

/** Creates the server's logger: human-readable in a terminal, JSON lines elsewhere. */
export function createLog(level: string, isTerminal: boolean): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  // Uses a stream instead of a transport, because a transport's worker thread cannot start in a
  // single binary.
  if (isTerminal) {
    return pino(
      options,
      pretty({ colorize: true, ignore: 'reqId', translateTime: 'SYS:HH:MM:ss' }),
    );
  }
  const output = pino.destination({ dest: 1, sync: false, maxLength: WAITING_MAX });
  const log = pino(options, output);
  let lost = 0;
  // Without a listener, a full disk would end the server. The next line tries to write the waiting ones again.
  output.on('error', () => undefined);
  output.on('drop', () => {
    lost += 1;
  });
  output.on('drain', () => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    log.warn({ lines }, 'lines of the log were lost because they could not be written');
  });
  return log;
}
