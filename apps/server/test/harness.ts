import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usernameKey } from '@parley/contract';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import type { App, Context } from '../src/context.ts';
import { countQueuedMails } from '../src/mail/mail.service.ts';
import { newId } from '../src/storage/ids.ts';
import { databaseFile } from '../src/storage/open.ts';
import { SESSION_COOKIE } from '../src/plugins/current-session.ts';
import { createServer, listeningPort } from '../src/server.ts';
import { endExpiredSessions } from '../src/sessions/session.service.ts';
import { countHashes } from './count-hashes.ts';
import { createSession } from './create-session.ts';
import { idleServers } from './idle-servers.ts';
import { addServerLog, endServerLog } from './server-logs.ts';
import { objectStoreOf } from './test-object-store.ts';
import { acquireTestDatabase, testDatabaseOf, type TestDatabase } from './test-database.ts';
import { deleteRows } from './delete-rows.ts';
import { until } from './until.ts';
import type { WebFiles } from '../src/web-client/web-pack.ts';

export { closeIdleServers } from './idle-servers.ts';

countHashes();

/** A real server on a free port with its own data folder. */
export interface TestServer {
  url: string;
  dataDir: string;
  /** The variables of commands that work on its data. */
  variables: Readonly<Record<string, string>>;
  app: App;
  ctx: Context;
  /** Every line of the server's log, at level trace. */
  log: string[];
  /** Creates a client without a session. */
  client(): TestClient;
  /**
   * Creates a verified account with a session and the password `password`, directly in the
   * database.
   */
  signIn(username: string): Promise<TestUser>;
  /** Creates a new session for a user, as a login does. */
  renewSession(user: TestUser): Promise<void>;
  /** Expires the sessions of a user. */
  expireSessions(user: TestUser): Promise<void>;
  /** Deletes the unsent uploads of users, as the server does after 24 hours. */
  sweepUploads(users: readonly TestUser[]): Promise<void>;
  /** Stops the server and starts another one on its port and folder. `env` overrides variables. */
  restart(env?: Record<string, string>): Promise<TestServer>;
  close(): Promise<void>;
}

/** An HTTP client with its own cookie jar. */
export interface TestClient {
  /** The `Cookie` header, empty without a session. */
  cookie: string;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text if it is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}

export interface TestUser extends TestClient {
  id: string;
  username: string;
  sessionId: string;
}

/** Returns a user whose requests go to another address, such as that of a proxy or a restored server. */
export function userAt(url: string, { id, username, sessionId, cookie }: TestUser): TestUser {
  return Object.assign(createTestClient(url, cookie), { id, username, sessionId });
}

/**
 * Starts a server; `env` overrides its variables. An existing `dataDir` is used and not deleted.
 * Without `webFiles`, the server has only the API. A server without any of these may have been used
 * before. It has no data then.
 */
export async function startServer(
  env: Record<string, string> = {},
  existingDataDir?: string,
  webFiles?: WebFiles,
): Promise<TestServer> {
  const isDefault = Object.keys(env).length === 0 && !existingDataDir && !webFiles;
  const idle = isDefault ? idleServers.pop() : undefined;
  if (idle) idle.log.length = 0;
  const server = idle ?? (await startFreshServer(env, existingDataDir, webFiles));
  return isDefault ? { ...server, close: () => retire(server) } : server;
}

/** Removes the data of a server and keeps it for another test, unless the test has closed it. */
async function retire(server: TestServer): Promise<void> {
  if (!server.app.server.listening || !(await hasSentMails(server))) return server.close();
  // Closes the live connections and empties the caches.
  server.ctx.events.publish({ type: 'events-missed' });
  await deleteRows(server.ctx);
  // Messages of a test that has moved the clock are forgotten, too.
  server.ctx.events.publish({ type: 'events-missed' });
  const { media } = server.ctx;
  for await (const files of media.list()) for (const file of files) await media.remove(file);
  for (const name of ['media', 'outbox']) await emptyFolder(join(server.dataDir, name));
  idleServers.push(server);
}

/** Waits until the queued mails are sent. A later test would otherwise find one. Returns false if some cannot be. */
async function hasSentMails({ ctx }: TestServer): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await countQueuedMails(ctx)) === 0) return true;
    await sleep(20);
  }
  return false;
}

/** Removes the files of a folder, if there is one, and keeps its subfolders. */
async function emptyFolder(folder: string): Promise<void> {
  const options = { recursive: true, withFileTypes: true } as const;
  for (const entry of await readdir(folder, options).catch(() => [])) {
    if (entry.isFile()) await rm(join(entry.parentPath, entry.name), { force: true });
  }
}

/** Starts a server that has not been used before, for tests of what happens at the start or is counted since then. */
export async function startFreshServer(
  env: Record<string, string> = {},
  existingDataDir?: string,
  webFiles: WebFiles = new Map(),
): Promise<TestServer> {
  const dataDir = existingDataDir ?? (await createFolder());
  const database = await provideDatabase(env, existingDataDir);
  const config = readConfig({
    PARLEY_DATA: dataDir,
    PARLEY_PORT: '0',
    PARLEY_RATE_LIMITS: 'false',
    // With a large one, which of the messages is counted is random, and so are the statements.
    PARLEY_QUOTA_MESSAGES_PER_DAY: '0',
    ...(database && { PARLEY_DATABASE_URL: database.url }),
    ...objectStoreOf(dataDir),
    ...env,
  });
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  addServerLog(log);
  const server = await createServer(config, logger, webFiles);
  await server.app.listen({ host: config.host, port: config.port });
  // Without other servers on the database, the background jobs start with the server, as on SQLite.
  if (database !== undefined) await until(() => log.some(isStartOfTerm));
  const url = `http://localhost:${listeningPort(server.app)}`;
  const removeFolder = async () => {
    await database?.release();
    if (existingDataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };

  return {
    url,
    dataDir,
    variables: {
      PARLEY_DATA: dataDir,
      ...(config.databaseUrl !== undefined && { PARLEY_DATABASE_URL: config.databaseUrl }),
      ...(config.mediaStore !== undefined &&
        pickStoreVariables({ ...objectStoreOf(dataDir), ...env })),
    },
    app: server.app,
    ctx: server.ctx,
    log,
    client: () => createTestClient(url),
    signIn: (username) => signIn(server.ctx, url, username),
    renewSession: (user) => openSession(server.ctx, user),
    expireSessions: (user) => expireSessions(server.ctx, user),
    sweepUploads: (users) => sweepUploads(server.ctx, users),
    async restart(changed = {}) {
      await server.close();
      endServerLog(log);
      const kept = {
        PARLEY_PORT: new URL(url).port,
        ...(database && { PARLEY_DATABASE_URL: database.url }),
      };
      const again = await startServer({ ...env, ...kept, ...changed }, dataDir, webFiles);
      return { ...again, close: () => again.close().then(removeFolder) };
    },
    async close() {
      await server.close();
      endServerLog(log);
      await removeFolder();
    },
  };
}

/** Creates a data folder, with a migrated database without rows if the tests run on SQLite. */
async function createFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const template = process.env['PARLEY_TEST_SQLITE_TEMPLATE'];
  if (template !== undefined) await copyFile(template, databaseFile(dataDir));
  return dataDir;
}

function pickStoreVariables(env: Record<string, string>): Record<string, string> {
  const names = ['PARLEY_MEDIA_STORE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
}

/** Returns whether a line of the log says that the server has become the leader of its database. */
export function isStartOfTerm(line: string): boolean {
  return line.includes('running the background jobs of all servers');
}

/** Provides a database unless the variables name one or the tests run on SQLite. */
function provideDatabase(
  env: Record<string, string>,
  existingDataDir: string | undefined,
): Promise<TestDatabase | undefined> {
  if (env['PARLEY_DATABASE_URL'] !== undefined) return Promise.resolve(undefined);
  return existingDataDir === undefined ? acquireTestDatabase() : testDatabaseOf(existingDataDir);
}

/** Creates a client for any server, such as a proxy. */
export function createTestClient(url: string, cookie = ''): TestClient {
  return {
    cookie,
    async request(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(this.cookie !== '' && { cookie: this.cookie }),
          ...(body !== undefined &&
            !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
        }),
      });
      const set = response.headers.getSetCookie().find((c) => c.startsWith(`${SESSION_COOKIE}=`));
      if (set !== undefined) this.cookie = set.split(';')[0] ?? '';
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parse(text) };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// The precomputed hash of the word `password`, so that tests do not wait for hashing.
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,p=1,t=2$0kEr7R8iPwp4GO4mMduzHQ$YHjTAtqHPKQbnlQo4P7dUSpWiMAGI2o1/ZfV1qReUwg';

async function signIn(ctx: Context, url: string, username: string): Promise<TestUser> {
  const userId = newId();
  const now = Date.now();
  await ctx.storage.write(({ trx }) =>
    trx
      .insertInto('users')
      .values({
        id: userId,
        username,
        username_key: usernameKey(username),
        email: `${userId}@example.org`,
        password_hash: PASSWORD_HASH,
        language: 'en',
        volume: 'middle',
        verified_at: now,
        created_at: now,
      })
      .execute(),
  );
  const user = Object.assign(createTestClient(url), { id: userId, username, sessionId: '' });
  await openSession(ctx, user);
  return user;
}

async function openSession(ctx: Context, user: TestUser): Promise<void> {
  const { id, cookie } = await createSession(ctx, user.id);
  user.sessionId = id;
  user.cookie = cookie;
}

async function sweepUploads(ctx: Context, users: readonly TestUser[]): Promise<void> {
  const ids = users.map(({ id }) => id);
  await ctx.storage.write(({ trx }) =>
    trx
      .deleteFrom('media')
      .where('owner_id', 'in', ids)
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom('messages').select('id').whereRef('media_id', '=', 'media.id')),
        ),
      )
      .execute(),
  );
}

async function expireSessions(ctx: Context, user: TestUser): Promise<void> {
  await ctx.storage.write(({ trx }) =>
    trx.updateTable('sessions').set({ expires_at: 0 }).where('user_id', '=', user.id).execute(),
  );
  await endExpiredSessions(ctx);
}
