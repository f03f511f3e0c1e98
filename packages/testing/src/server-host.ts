import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import { findFreePort } from './free-port.ts';
import { keyFromOutbox } from './mail-outbox.ts';
import type { HostedServer } from './run-server.ts';

const HOST = join(import.meta.dirname, '../../../apps/server/test/host-servers.ts');

/** A process that runs servers from their sources, one after the other or at the same time. */
export interface ServerHost {
  /** Starts a server with its own data folder. `env` are additional environment variables. */
  readonly run: (env?: Readonly<Record<string, string>>) => Promise<HostedServer>;
  readonly close: () => Promise<void>;
}

/** Starts a process for servers with the built web client, which start in it several times faster than in their own. */
export function startServerHost(): ServerHost {
  const child = fork(HOST, { execArgv: [], env: { ...COMPILE_CACHE, PATH: process.env['PATH'] } });
  const exited = once(child, 'exit');
  let lastId = 0;

  async function send(port: number, env?: Readonly<Record<string, string>>): Promise<void> {
    lastId += 1;
    const id = lastId;
    const responded = responseTo(child, id);
    child.send({ id, port: String(port), ...(env && { env }) });
    const error = await Promise.race([responded, exited.then(() => 'its process has ended')]);
    if (error !== undefined) throw new Error(`the server failed: ${error}`);
  }

  return {
    async run(env = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
      const removeFolder = () => rm(folder, { recursive: true, force: true });
      const port = await findFreePort();
      try {
        await send(port, { PARLEY_DATA: folder, PARLEY_LOG_LEVEL: 'warn', ...env });
      } catch (error) {
        await removeFolder();
        throw error;
      }
      return {
        url: `http://localhost:${port}`,
        dataDir: folder,
        keyFor: (email) => keyFromOutbox(join(folder, 'outbox'), email),
        async dispose() {
          await send(port);
          await removeFolder();
        },
      };
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

/** Resolves to the error in the response of the host with an id, or to undefined if it succeeded. */
function responseTo(child: ChildProcess, id: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on('message', function listen(response: { id: number; error?: string }) {
    if (response.id !== id) return;
    child.off('message', listen);
    resolve(response.error);
  });
  return promise;
}
