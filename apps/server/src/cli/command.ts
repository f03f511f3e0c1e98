import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Terminal } from './terminal.ts';

/** Exit codes, as scripts see them. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** A command line that cannot be understood. The message says what is wrong with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that a command cannot do, for a reason that is no fault of the program. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What was given to a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  isSet(option: string): boolean;
  value(option: string): string | undefined;
}

/** One command of `parley`. */
export interface Command {
  readonly name: string;
  /** What may follow the name, for the help. */
  readonly synopsis: string;
  /** One line. */
  readonly summary: string;
  /** What else there is to know, in lines of at most 100 characters. */
  readonly details?: string;
  /** What --json writes, in the same form; fields may be added to it, and none goes or changes. */
  readonly json?: string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** How many positional arguments it takes, at least and at most. */
  readonly positionals: readonly [min: number, max: number];
  /** Returns the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** The option that every command with an answer for scripts has. */
export const JSON_OPTION = { json: { type: 'boolean' } } as const;

/** @throws {UsageError} if the arguments are not the command's. */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const { values, positionals } = parse(command, args);
  const [min, max] = command.positionals;
  if (positionals.length < min) throw new UsageError(`${findMissingArgument(command)} is missing`);
  if (positionals.length > max) throw new UsageError(`'${positionals[max]}' is too much`);
  return {
    positionals,
    isSet: (option) => values[option] === true,
    value: (option) => {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** The first thing that a synopsis asks for. */
function findMissingArgument({ synopsis }: Command): string {
  return /^<[^>]+>/.exec(synopsis)?.[0] ?? 'an argument';
}

function parse({ options }: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence says what; the others teach the shell.
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : '', {
      cause: error,
    });
  }
}

/** A number that was given as an option. */
export function readPositiveInteger(args: Arguments, option: string, defaultValue: number): number {
  const value = args.value(option);
  if (value === undefined) return defaultValue;
  const number = Number(value);
  if (!/^\d{1,6}$/.test(value) || number === 0) {
    throw new UsageError(`--${option} takes a whole number above 0`);
  }
  return number;
}
