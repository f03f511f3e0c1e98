import electronLog from 'electron-log/node';

/**
 * The fields of a line: codes, numbers and flags, never a name, an address, a path or a part of a message.
 * Strings that do not look like a code are replaced with `?`.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Bytes. One rotated file of the same size is kept. */
const MAX_SIZE = 1024 * 1024;
const CODE = /^[\w.:<>() -]{1,600}$/;

// The Node part of the library does not need Electron, so this module runs in any Node process.
const logger = electronLog.create({ logId: 'parley' });
logger.transports.console.level = false;
logger.transports.file.level = false;

/** Starts to write to a file. Lines before that are discarded. */
export function writeLogTo(file: string): void {
  const { file: transport } = logger.transports;
  transport.resolvePathFn = () => file;
  transport.maxSize = MAX_SIZE;
  transport.format = '{iso} {level} {text}';
  transport.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
  transport.level = 'info';
}

/** The app's log. Each line is an event in kebab case and its fields as JSON. */
export const log = {
  info: (event: string, fields?: LogFields): void => logger.info(line(event, fields)),
  warn: (event: string, fields?: LogFields): void => logger.warn(line(event, fields)),
  error: (event: string, error: unknown, fields?: LogFields): void =>
    logger.error(line(event, { ...toLogFields(error), ...fields })),
};

/** Logs unhandled errors. Electron itself shows uncaught exceptions to the user. */
export function logUnhandledErrors(): void {
  process.on('uncaughtExceptionMonitor', (error) => log.error('uncaught-exception', error));
  process.on('unhandledRejection', (reason) => {
    log.error('unhandled-rejection', reason);
    process.stderr.write(`${reason instanceof Error ? reason.stack : String(reason)}\n`);
  });
}

function line(event: string, fields: LogFields = {}): string {
  const safe = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' && !CODE.test(value) ? '?' : value,
  ]);
  return safe.length === 0 ? event : `${event} ${JSON.stringify(Object.fromEntries(safe))}`;
}

/**
 * Returns the fields of an error: its class, its code and its stack frames, but not its message, as messages of
 * the system and of Chromium contain paths and addresses.
 */
export function toLogFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const net = /\bERR_[A-Z_]+\b/.exec(error.message)?.[0];
  return { name: error.name, code: code ?? net, at: shortenStack(error.stack) };
}

/** Returns the first frames of a stack as `function boot.js:12:3`, without folders. */
function shortenStack(stack = ''): string {
  const found = [
    ...stack.matchAll(/^\s+at (?:async )?(?:([\w.<>$]+) )?.*?([\w.-]+:\d+:\d+)\)?$/gm),
  ];
  return found
    .slice(0, 8)
    .map(([, name, place]) => [name, place].filter((part) => part !== undefined).join(' '))
    .join(' < ');
}
