import { ConfigError } from '../config.ts';
import { EXIT, parseArguments, UsageError } from './command.ts';
import { findCommand } from './commands.ts';
import { describeError } from './describe-error.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command line, given without the program's name. Returns the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, rest] = splitArguments(args);
  try {
    const command = findCommand(name);
    if (command === undefined) throw new UsageError(`unknown command '${name}'`);
    return await command.run(parseArguments(command, rest), terminal);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [describeError(error)];
    for (const problem of problems) terminal.stderr.write(`parley: ${problem}\n`);
    if (error instanceof ConfigError) terminal.stderr.write("Try 'parley help config'.\n");
    if (error instanceof UsageError) {
      const isKnown = name !== 'help' && findCommand(name) !== undefined;
      terminal.stderr.write(`Try 'parley help${isKnown ? ` ${name}` : ''}'.\n`);
    }
    return error instanceof UsageError || error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  }
}

/** Splits the arguments into a command, by default `serve`, and its own arguments. */
function splitArguments(args: readonly string[]): [name: string, rest: readonly string[]] {
  const [first, ...rest] = args;
  if (first === '--version' || first === '-V') return ['version', rest];
  if (first === '--help' || first === '-h') return ['help', rest];
  if (first === undefined) return ['serve', []];
  if (first.startsWith('-')) return ['serve', args];
  return rest.some((arg) => arg === '--help' || arg === '-h') ? ['help', [first]] : [first, rest];
}
