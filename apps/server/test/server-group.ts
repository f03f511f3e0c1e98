import { LEADER_LOCK } from '../src/storage/postgres/leadership.ts';
import { deleteRows } from './delete-rows.ts';
import { isStartOfTerm, startServer, type TestServer } from './harness.ts';
import { acquireTestDatabase, runOn } from './test-database.ts';
import { until } from './until.ts';

/** Servers with data folders of their own on one PostgreSQL database. */
export interface ServerGroup {
  readonly servers: readonly [TestServer, TestServer];
  /** Waits until one of the servers has become the leader, and returns it. */
  leader(): Promise<TestServer>;
  /** Runs a statement on the database. */
  run(statement: string): Promise<void>;
  /** Removes the data and live connections of a test, so that the next one can use the group. */
  empty(): Promise<void>;
  close(server: TestServer): Promise<void>;
  closeAll(): Promise<void>;
}

/** Whether the tests run on PostgreSQL. */
export const IS_ON_POSTGRES = process.env['PARLEY_TEST_CLUSTER'] !== undefined;

/** A statement that cuts the connection of a database's leader. */
export const TERMINATE_LEADER = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and objsubid = 1
    and classid::bigint << 32 | objid::bigint = ${LEADER_LOCK}
    and database = (select oid from pg_database where datname = current_database())`;

/** Starts two servers on one database; `env` overrides their variables. */
export async function startServerGroup(env: Record<string, string> = {}): Promise<ServerGroup> {
  const database = await acquireTestDatabase();
  if (database === undefined) throw new Error('a group of servers needs PostgreSQL');
  const variables = { ...env, PARLEY_DATABASE_URL: database.url };
  const servers = [await startServer(variables), await startServer(variables)] as const;
  const open = new Set(servers);
  const close = async (server: TestServer) => {
    if (open.delete(server)) await server.close();
  };
  return {
    servers,
    leader: () => until(() => servers.find((server) => countTerms(server) > 0)),
    run: (statement) => runOn(database.url, statement),
    async empty() {
      for (const { ctx } of servers) ctx.events.publish({ type: 'events-missed' });
      await deleteRows(servers[0].ctx);
    },
    close,
    async closeAll() {
      for (const server of servers) await close(server);
      await database.release();
    },
  };
}

/** Returns how often a server has become the leader. */
export function countTerms({ log }: TestServer): number {
  return log.filter(isStartOfTerm).length;
}
