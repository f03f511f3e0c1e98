import { startPostgresCluster } from '@parley/testing';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openServerDatabase } from '../src/storage/open.ts';
import { dropDatabases, runOn, TEMPLATE } from './test-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: string;
  }
}

/** Starts a cluster for the tests that run on PostgreSQL, or uses `PARLEY_TEST_DATABASE_URL`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['PARLEY_TEST_DATABASE_URL'];
  const cluster = given === undefined ? await startPostgresCluster() : undefined;
  const url = cluster?.urlOf('postgres') ?? given ?? '';
  await dropDatabases(url);
  await runOn(url, `create database ${TEMPLATE}`);
  const database = await openServerDatabase(
    { dataDir: '', databaseUrl: new URL(`/${TEMPLATE}`, url).href },
    { publish: () => undefined },
    pino({ level: 'silent' }),
  );
  await database.close();
  project.provide('cluster', url);
  return async () => {
    if (cluster === undefined) await dropDatabases(url);
    await cluster?.stop();
  };
}
