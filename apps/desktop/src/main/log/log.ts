import electronLog from 'electron-log/node';

/**
 * What a line may say besides its event: codes, numbers and flags. Never a name, an address, a path or a
 * part of a message; strings that do not look like a code are replaced by `?`.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Bytes. One older file of the same size is kept beside it. */
const MAX_SIZE = 1024 * 1024;
const CODE = /^[\w.:<>() -]{1,600}$/;

// Without the part of the library that finds Electron by itself: this module runs in any Node process.
const logger = electronLog.create({ logId: 'parley' });
logger.transports.console.level = false;
logger.transports.file.level = false;

/** Writes to this file from now on. Until then, nothing is kept. */
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
    logger.error(line(event, { ...describeError(error), ...fields })),
};

function line(event: string, fields: LogFields = {}): string {
  const safe = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' && !CODE.test(value) ? '?' : value,
  ]);
  return safe.length === 0 ? event : `${event} ${JSON.stringify(Object.fromEntries(safe))}`;
}

/**
 * Describes an error by its class, its codes and the places in the app's own files. Its message is left
 * out: messages of the system and of Chromium contain paths and addresses.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const net = /\bERR_[A-Z_]+\b/.exec(error.message)?.[0];
  return { name: error.name, code: code ?? net, at: places(error.stack) };
}

/** The first places of a stack as `function boot.js:12:3`, without folders. */
function places(stack = ''): string {
  const found = [
    ...stack.matchAll(/^\s+at (?:async )?(?:([\w.<>$]+) )?.*?([\w.-]+:\d+:\d+)\)?$/gm),
  ];
  return found
    .slice(0, 8)
    .map(([, name, place]) => [name, place].filter((part) => part !== undefined).join(' '))
    .join(' < ');
}
