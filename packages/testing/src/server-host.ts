import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';
import { keyFromOutbox } from './mail-outbox.ts';
import type { HostedServer, NewUser } from './run-server.ts';

const HOST = join(import.meta.dirname, '../../../apps/server/test/host-servers.ts');

/** A process that runs servers from their sources, one after the other or at the same time. */
export interface ServerHost {
  /** Starts a server with its own data folder. `env` are additional environment variables. */
  readonly run: (env?: Readonly<Record<string, string>>) => Promise<HostedServer>;
  readonly close: () => Promise<void>;
}

/** What a host is to do: start a server, create an account on the server with a port, or end that server. */
export type HostTask =
  | { readonly type: 'start'; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'add-user'; readonly port: number; readonly user: NewUser }
  | { readonly type: 'end'; readonly port: number };

/** A task for the process of a host. */
export interface HostRequest {
  readonly id: number;
  readonly task: HostTask;
}

/** The response to the request with the same id: an error, or the port or the cookie that the task resulted in. */
export interface HostResponse {
  readonly id: number;
  readonly error?: string;
  readonly result?: string;
}

/** Starts a process for servers with the built web client, which start in it several times faster than in their own. */
export function startServerHost(): ServerHost {
  const child = fork(HOST, { execArgv: [], env: { ...COMPILE_CACHE, PATH: process.env['PATH'] } });
  const exited = once(child, 'exit');
  let lastId = 0;

  async function send(task: HostTask): Promise<string> {
    lastId += 1;
    const request: HostRequest = { id: lastId, task };
    const responded = responseTo(child, request.id);
    child.send(request);
    const { error, result = '' } = await Promise.race([
      responded,
      exited.then(() => ({ error: 'its process has ended', result: undefined })),
    ]);
    if (error !== undefined) throw new Error(`the server failed: ${error}`);
    return result;
  }

  return {
    async run(env = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
      const removeFolder = () => rm(folder, { recursive: true, force: true });
      let port: number;
      try {
        const variables = { PARLEY_DATA: folder, PARLEY_LOG_LEVEL: 'warn', ...env };
        port = Number(await send({ type: 'start', env: variables }));
      } catch (error) {
        await removeFolder();
        throw error;
      }
      return {
        url: `http://localhost:${port}`,
        dataDir: folder,
        keyFor: (email) => keyFromOutbox(join(folder, 'outbox'), email),
        addUser: (user) => send({ type: 'add-user', port, user }),
        async dispose() {
          await send({ type: 'end', port });
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

/** Resolves to the response of the host with an id. */
function responseTo(child: ChildProcess, id: number): Promise<HostResponse> {
  const { promise, resolve } = Promise.withResolvers<HostResponse>();
  child.on('message', function listen(response: HostResponse) {
    if (response.id !== id) return;
    child.off('message', listen);
    resolve(response);
  });
  return promise;
}
