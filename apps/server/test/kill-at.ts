import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILE_CACHE } from '@parley/testing';

/** A change in the file system before which a process is killed. */
export interface KillPoint {
  /** A function of `node:fs`, or one of `node:fs/promises` with that prefix. */
  readonly call: `promises.${'mkdtemp' | 'rename' | 'rm'}` | 'renameSync' | 'rmSync';
  /** What the path of its first argument contains. */
  readonly path: string;
}

/** Runs a command line in a process of its own, which is killed before a change in the file system. */
export async function runCommandUntil(
  point: KillPoint,
  env: Record<string, string>,
  args: readonly string[],
): Promise<void> {
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(
    process.execPath,
    ['--import', pathToFileURL(import.meta.filename).href, main, ...args],
    { env: { ...COMPILE_CACHE, ...env, KILL_AT: JSON.stringify(point) }, stdio: 'ignore' },
  );
  const [, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') throw new Error(`the process ended before ${JSON.stringify(point)}`);
}

/** Kills this process before the change. */
function killAt({ call, path }: KillPoint): void {
  const [name, object] = call.startsWith('promises.')
    ? [call.slice('promises.'.length), fs.promises]
    : [call, fs];
  const functions = object as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = functions[name];
  functions[name] = (...args) => {
    if (String(args[0]).includes(path)) process.kill(process.pid, 'SIGKILL');
    return original?.apply(object, args);
  };
  syncBuiltinESMExports();
}

// Loaded with `--import` before the program.
const point = process.env['KILL_AT'];
if (point !== undefined) killAt(JSON.parse(point) as KillPoint);
