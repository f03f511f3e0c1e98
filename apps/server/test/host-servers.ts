import { copyFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/create-log.ts';
import { createServer, type Server } from '../src/server.ts';
import { databaseFile } from '../src/storage/open.ts';
import { loadWebFiles } from '../src/web-client/load-web-files.ts';
import { createDataFolder } from './create-data-folder.ts';

// Runs the servers of tests in one process, as starting a process takes most of the time that a server needs to start.
// The parent process sends a `HostRequest` to start or end a server and receives a `HostResponse`. The servers have the
// built web client.

/** A request to start a server, or without `env` to end it. */
interface HostRequest {
  readonly id: number;
  readonly port: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The response to the request with the same id. */
interface HostResponse {
  readonly id: number;
  readonly error?: string;
}

const webFiles = loadWebFiles(join(import.meta.dirname, '../dist'));
const servers = new Map<string, Server>();

// Copied by each server, as migrating a new database takes half of the remaining time.
const template = mkdtempSync(join(tmpdir(), 'parley-template-'));
process.once('exit', () => rmSync(template, { recursive: true, force: true }));
const isTemplateReady = createDataFolder(template);

process.once('disconnect', () => process.exit());
process.on('message', ({ id, port, env }: HostRequest) => {
  const respond = (response: HostResponse): void => void process.send?.(response);
  (env === undefined ? end(port) : start(port, env)).then(
    () => respond({ id }),
    (error: unknown) => respond({ id, error: String(error) }),
  );
});

async function start(port: string, env: Readonly<Record<string, string>>): Promise<void> {
  const config = readConfig({ ...env, PARLEY_PORT: port });
  await isTemplateReady;
  await copyFile(databaseFile(template), databaseFile(config.dataDir));
  const server = await createServer(config, createLog(config.logLevel, false), webFiles);
  servers.set(port, server);
  try {
    await server.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await end(port);
    throw error;
  }
}

async function end(port: string): Promise<void> {
  const server = servers.get(port);
  servers.delete(port);
  server?.app.server.closeAllConnections();
  await server?.close();
}
