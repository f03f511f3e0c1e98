import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILE_CACHE } from '@parley/testing';

const SERVER = join(import.meta.dirname, '..');

/** A server in a separate process, run from its sources on a data folder. */
export interface SpawnedServer {
  url: string;
  readonly pid: number;
  /** Kills the process without warning, like a power failure. */
  kill(): Promise<void>;
  /** Terminates the process with SIGTERM, as a supervisor does, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** How to run a server. */
interface SpawnOptions {
  /** User to run it as. */
  readonly uid?: number;
  /** URL of its PostgreSQL database. Without it, the server runs on SQLite. */
  readonly databaseUrl?: string | undefined;
  /** Port to listen on. Without it, the system chooses one. */
  readonly port?: number;
  /** Further variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Receives each line of the log. */
  readonly onLine?: (line: string) => void;
}

/** Starts the server and waits until it is ready. */
export async function spawnServer(
  dataDir: string,
  { uid, databaseUrl, port = 0, variables = {}, onLine }: SpawnOptions = {},
): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [join(SERVER, 'src', 'main.ts')], {
    cwd: SERVER,
    env: {
      ...COMPILE_CACHE,
      PARLEY_DATA: dataDir,
      PARLEY_PORT: String(port),
      PARLEY_RATE_LIMITS: 'false',
      ...(databaseUrl !== undefined && { PARLEY_DATABASE_URL: databaseUrl }),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  const exited: Promise<(number | null)[]> = once(child, 'exit');
  try {
    const url = await readyUrl(child, onLine);
    return {
      url,
      pid: child.pid ?? 0,
      async kill() {
        child.kill('SIGKILL');
        await exited;
      },
      async stop() {
        child.kill('SIGTERM');
        return (await exited)[0] ?? null;
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function readyUrl(child: ChildProcess, onLine?: (line: string) => void): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  // Keeps reading, because a full pipe would block the server.
  const lines = createInterface(child.stdout);
  if (onLine !== undefined) lines.on('line', onLine);
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /Parley is ready at (http:\S+?)"/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.once('close', () => reject(new Error('the server ended before it was ready')));
  });
}
