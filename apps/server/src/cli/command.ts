import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Terminal } from './terminal.ts';

/** Exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Invalid arguments. The message says what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An expected failure of a command. The message is a sentence for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The parsed arguments of a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  isSet(option: string): boolean;
  value(option: string): string | undefined;
}

/** A command of `parley`. */
export interface Command {
  readonly name: string;
  /** The arguments, as displayed in the usage. */
  readonly synopsis: string;
  /** One line. */
  readonly summary: string;
  /** Further help, in lines of at most 100 characters. */
  readonly details?: string;
  /** The shape of the --json output. Fields may be added, but never changed or removed. */
  readonly json?: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Minimum and maximum number of positional arguments. */
  readonly positionals: readonly [min: number, max: number];
  /** Runs the command and returns the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** The option of commands that support JSON output. */
export const JSON_OPTION = { json: { type: 'boolean' } } as const;

/**
 * Parses the arguments of a command.
 * @throws {UsageError} if they are invalid.
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const { values, positionals } = parseOptions(command, args);
  const [min, max] = command.positionals;
  if (positionals.length < min) throw new UsageError(`${findMissingArgument(command)} is missing`);
  if (positionals.length > max) throw new UsageError(`unexpected argument '${positionals[max]}'`);
  return {
    positionals,
    isSet: (option) => values[option] === true,
    value: (option) => {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** Returns the first required argument of a command's synopsis. */
function findMissingArgument({ synopsis }: Command): string {
  return /^<[^>]+>/.exec(synopsis)?.[0] ?? 'an argument';
}

function parseOptions({ options }: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence is enough; the others explain shell syntax.
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : '', {
      cause: error,
    });
  }
}

/**
 * Reads a positive integer from an option.
 * @throws {UsageError} if the value is not a positive integer.
 */
export function readPositiveInteger(args: Arguments, option: string, defaultValue: number): number {
  const value = args.value(option);
  if (value === undefined) return defaultValue;
  const number = Number(value);
  if (!/^\d{1,6}$/.test(value) || number === 0) {
    throw new UsageError(`--${option} must be a positive integer`);
  }
  return number;
}
