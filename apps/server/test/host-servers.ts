import { copyFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostRequest, HostResponse, HostTask, NewUser } from '@parley/testing';
import { insertUser } from '../src/accounts/account.repository.ts';
import { createPasswordHasher } from '../src/accounts/password-hasher.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/create-log.ts';
import { createServer, listeningPort, type Server } from '../src/server.ts';
import { newId } from '../src/storage/ids.ts';
import { databaseFile } from '../src/storage/open.ts';
import { loadWebFiles } from '../src/web-client/load-web-files.ts';
import { createDataFolder } from './create-data-folder.ts';
import { createSession } from './create-session.ts';

// Runs the servers of tests in one process, as starting a process takes most of the time that a server needs to start.
// The servers have the built web client.

const webFiles = loadWebFiles(join(import.meta.dirname, '../dist'));
const hasher = createPasswordHasher();
const servers = new Map<number, Server>();
/** The hashes of passwords. */
const hashes = new Map<string, Promise<string>>();

// Copied by each server, as migrating a new database takes half of the remaining time.
const template = mkdtempSync(join(tmpdir(), 'parley-template-'));
process.once('exit', () => rmSync(template, { recursive: true, force: true }));
const isTemplateReady = createDataFolder(template);

process.once('disconnect', () => process.exit());
process.on('message', ({ id, task }: HostRequest) => {
  const respond = (response: HostResponse): void => void process.send?.(response);
  run(task).then(
    (result) => respond({ id, result }),
    (error: unknown) => respond({ id, error: String(error) }),
  );
});

async function run(task: HostTask): Promise<string> {
  if (task.type === 'start') return String(await start(task.env));
  if (task.type === 'add-user') return addUser(task.port, task.user);
  await end(task.port);
  return '';
}

/** Starts a server on a free port and returns the port. */
async function start(env: Readonly<Record<string, string>>): Promise<number> {
  const config = readConfig({ PARLEY_PORT: '0', ...env });
  await isTemplateReady;
  await copyFile(databaseFile(template), databaseFile(config.dataDir));
  const server = await createServer(config, createLog(config.logLevel, false), webFiles);
  try {
    await server.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await server.close();
    throw error;
  }
  const port = listeningPort(server.app);
  servers.set(port, server);
  return port;
}

/** Creates a verified account with a session and returns its cookie. */
async function addUser(port: number, user: NewUser): Promise<string> {
  const { ctx } = servers.get(port) ?? unknownServer(port);
  const { password } = user;
  const hashing = hashes.get(password) ?? hasher.hash(password, ['test']);
  hashes.set(password, hashing);
  const passwordHash = await hashing;
  const id = newId();
  const now = Date.now();
  await ctx.storage.write(({ trx }) =>
    insertUser(trx, { ...user, id, password_hash: passwordHash, created_at: now }),
  );
  return (await createSession(ctx, id)).cookie;
}

function unknownServer(port: number): never {
  throw new Error(`no server has the port ${port}`);
}

async function end(port: number): Promise<void> {
  const server = servers.get(port);
  servers.delete(port);
  server?.app.server.closeAllConnections();
  await server?.close();
}
