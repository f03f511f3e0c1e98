import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { COMPILE_CACHE } from '@parley/testing';
import { runCommandLine } from '../src/cli/run.ts';

/** The result of a command. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** `stdout` as JSON, for commands with `--json`. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** The program of the command line. */
export const MAIN = join(import.meta.dirname, '../src/main.ts');

/** No server listens there. Commands look for one on the default port otherwise. */
const UNUSED_PORT = { PARLEY_PORT: '1' };

/** Runs a command line with only the given environment variables, and a port without a server unless one is given. */
export function runCommand(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  return runCommandWithInput(new PassThrough().end(), env, ...args);
}

/** Like {@link runCommand}, with the given standard input. */
export async function runCommandWithInput(
  stdin: Readable,
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const texts = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommandLine(args, {
    env: { ...UNUSED_PORT, ...env },
    stdin,
    stdout,
    stderr,
    loadWebFiles: () => new Map(),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return {
    code,
    stdout: out,
    stderr: err,
    get json() {
      return JSON.parse(out);
    },
  };
}

/** Runs a command line in a separate process, as the user `uid` if given. */
export async function runCommandProcess(
  env: Record<string, string>,
  args: readonly string[],
  uid?: number,
): Promise<CommandResult> {
  return runProgram(process.execPath, [MAIN, ...args], env, uid);
}

/** Runs a program that may run command lines of `MAIN`, as the user `uid` if given. */
export async function runProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  uid?: number,
): Promise<CommandResult> {
  const child = spawn(file, args, {
    env: { ...COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return {
    code: Number(code),
    stdout: out,
    stderr: err,
    get json() {
      return JSON.parse(out);
    },
  };
}
