import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyFromOutbox } from './outbox.ts';
import { createServerProcess, type Program, type ServerProcess } from './server-process.ts';

const SERVER = join(import.meta.dirname, '../../../apps/server');

/** The server as `npm run build` makes it. */
export const BUILT_SERVER = join(SERVER, 'dist/main.mjs');
const SOURCES = join(SERVER, 'src/main.ts');

/** A server with a data folder of its own. */
export interface RunningServer extends Omit<ServerProcess, 'port' | 'pid'> {
  /** Without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  /** The newest key that was mailed to an address, waiting for it. */
  readonly keyFor: (email: string) => Promise<string>;
  /** Ends it and removes its folder. */
  readonly dispose: () => Promise<void>;
}

/** A program, and where in its folder it keeps its data. */
export interface ServerProgram extends Program {
  readonly dataDir: string;
}

/** The built server in `folder`, with its data there. */
export function builtServer(folder: string): ServerProgram {
  return nodeProgram(BUILT_SERVER, folder);
}

/** The server from its sources, for tests that need no web client and so no build of it. */
export function serverFromSources(folder: string): ServerProgram {
  return nodeProgram(SOURCES, folder);
}

function nodeProgram(main: string, folder: string): ServerProgram {
  return {
    command: process.execPath,
    args: [main],
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      PARLEY_DATA: folder,
      PARLEY_LOG_LEVEL: 'warn',
    },
    dataDir: folder,
  };
}

/**
 * Starts a server in a folder of its own; `env` adds to its variables, and `program` says how in
 * place of the built one. End it with `dispose`.
 */
export async function runServer(
  env: Readonly<Record<string, string>> = {},
  program: (folder: string) => ServerProgram = builtServer,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const { dataDir, ...how } = program(folder);
  const server = await createServerProcess({ ...how, env: { ...how.env, ...env } });
  await server.start();
  return {
    url: `http://localhost:${server.port}`,
    dataDir,
    start: server.start,
    stop: server.stop,
    kill: server.kill,
    keyFor: (email) => keyFromOutbox(join(dataDir, 'outbox'), email),
    async dispose() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
