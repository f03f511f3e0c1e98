import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import { keyFromOutbox } from './mail-outbox.ts';
import { createServerProcess, type Program, type ServerProcess } from './server-process.ts';

const SERVER = join(import.meta.dirname, '../../../apps/server');

/** The server built by `npm run build`. */
export const BUILT_SERVER = join(SERVER, 'dist/main.mjs');
const SOURCES = join(SERVER, 'src/main.ts');

/** The single binary for this machine, built by `npm run build:binary`. */
export const BUILT_BINARY = join(
  SERVER,
  `out/parley-${process.platform}-${process.arch}${process.platform === 'win32' ? '.exe' : ''}`,
);

/** An account to create without the forms. */
export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly language: 'en' | 'de';
}

/** A running server with its own data folder. Its process may be shared with other servers. */
export interface HostedServer {
  /** Origin without a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  /** Waits for an email to an address and returns its newest key. */
  readonly keyFor: (email: string) => Promise<string>;
  /**
   * Creates a verified account with a session, in a small part of the time that registration and login take. Resolves
   * to the session's cookie, such as `name=value`. Missing if the server has its own process.
   */
  readonly addUser?: (user: NewUser) => Promise<string>;
  /** Stops the server and removes its folder. */
  readonly dispose: () => Promise<void>;
}

/** A server with its own process. */
export interface RunningServer extends HostedServer, Omit<ServerProcess, 'port' | 'pid'> {}

/** A server program and the location of its data. */
export interface ServerProgram extends Program {
  readonly dataDir: string;
}

/** Returns a program that runs the built server with its data in `folder`. */
export function builtServer(folder: string): ServerProgram {
  return nodeProgram(BUILT_SERVER, folder);
}

/**
 * Returns a program that runs the server from its sources, for tests that do not require a built
 * web client.
 */
export function serverFromSources(folder: string): ServerProgram {
  return nodeProgram(SOURCES, folder);
}

function nodeProgram(main: string, folder: string): ServerProgram {
  return {
    command: process.execPath,
    args: [main],
    cwd: folder,
    env: {
      ...COMPILE_CACHE,
      PATH: process.env['PATH'] ?? '',
      PARLEY_DATA: folder,
      PARLEY_LOG_LEVEL: 'warn',
    },
    dataDir: folder,
  };
}

/**
 * Starts a server in a temporary folder. Defaults to the built server. Stop it with `dispose`.
 * @param env additional environment variables
 */
export async function runServer(
  env: Readonly<Record<string, string>> = {},
  program: (folder: string) => ServerProgram = builtServer,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const { dataDir, ...options } = program(folder);
  const server = await createServerProcess({ ...options, env: { ...options.env, ...env } });
  try {
    await server.start();
  } catch (error) {
    await removeFolder();
    throw error;
  }
  return {
    url: `http://localhost:${server.port}`,
    dataDir,
    start: server.start,
    stop: server.stop,
    kill: server.kill,
    keyFor: (email) => keyFromOutbox(join(dataDir, 'outbox'), email),
    async dispose() {
      await server.kill();
      await removeFolder();
    },
  };
}
