import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { findBreaking, type Migrations } from '../schema.ts';
import { BreakingUpgradeError } from '../storage-errors.ts';
import { readPostgresSchema } from './migrate-postgres.ts';

const CHECK_INTERVAL = 2_000;

/**
 * Checks every two seconds whether a newer version has upgraded the database of a running server.
 * Calls `onBreaking` once this version cannot use it. Returns a function that ends the checks.
 */
export function watchSchema(
  pool: pg.Pool,
  migrations: Migrations,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  onBreaking: (error: BreakingUpgradeError) => void,
): () => void {
  const closing = new AbortController();
  const { signal } = closing;

  async function watch(): Promise<void> {
    let newest: string | undefined;
    for (;;) {
      await sleep(CHECK_INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const schema = await readPostgresSchema(pool, migrations).catch(() => undefined);
      if (schema === undefined || signal.aborted) continue;
      const breaking = findBreaking(schema);
      if (breaking !== undefined) {
        const error = new BreakingUpgradeError(
          `A newer version of Parley has upgraded the database (schema ${breaking}) so that this ` +
            'version cannot use it. Restart this server with the newer version.',
        );
        log.error(error.message);
        onBreaking(error);
        return;
      }
      if (schema.unknown.at(-1) !== newest) {
        newest = schema.unknown.at(-1);
        log.info(
          { schema: newest },
          'a newer version has upgraded the database; this server keeps working until it is restarted',
        );
      }
    }
  }

  void watch();
  return () => closing.abort();
}
