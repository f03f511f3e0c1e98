import type { Config } from '../config.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import {
  findProblem,
  inspectPostgres,
  NO_SESSIONS,
  openDatabase,
  type PostgresReport,
} from '../storage/open.ts';
import { describePostgresError } from '../storage/storage-errors.ts';
import { createFindings, type Finding } from './finding.ts';
import { checkMailboxes } from './mailbox-check.ts';
import { checkMedia } from './media-check.ts';
import { checkPush } from './push-check.ts';
import { checkReports } from './report-check.ts';
import { checkSearch } from './search-check.ts';
import { createSchemaFinding } from './schema-finding.ts';

/** Median duration of a query in milliseconds above which users notice the database. */
const LATENCY_MAX = 10;

/** Clocks that differ by more than this send mails twice. Milliseconds. */
const CLOCK_TOLERANCE = 30_000;
/** Difference of clocks in milliseconds above which times of messages look wrong. */
const CLOCK_NOTICEABLE = 2_000;

const database = createFindings('database');
const connections = createFindings('connections');
const clocks = createFindings('clocks');
const media = createFindings('media store');

/** Checks a PostgreSQL database and its media, without changing anything. */
export async function checkPostgres(
  databaseUrl: string,
  config: Parameters<typeof checkPush>[1] & Pick<Config, 'mediaStore'>,
  store: MediaStore,
): Promise<Finding[]> {
  let report: PostgresReport;
  try {
    report = await inspectPostgres(databaseUrl);
  } catch (error) {
    return [
      database.failed(
        describePostgresError(error) ?? String(error),
        'Check PARLEY_DATABASE_URL, and whether this machine may connect to the database.',
      ),
    ];
  }
  const schema = createSchemaFinding(
    report.schema,
    'Back it up and start the server, which upgrades the database.',
  );
  const findings = [
    checkDatabase(report),
    checkConnections(report),
    checkClocks(report),
    ...checkFolders(report, config),
    schema,
  ];
  if (schema.outcome !== 'ok') return findings;
  const { storage, maintenance, close } = openDatabase({ dataDir: '', databaseUrl });
  try {
    return [
      ...findings,
      await checkMedia(storage, await maintenance.id(), store),
      await checkReports(storage),
      await checkSearch(storage),
      await checkPush(storage, config),
      await checkMailboxes(storage),
    ];
  } finally {
    await close();
  }
}

function checkDatabase(report: PostgresReport): Finding {
  const problem = findProblem(report);
  if (problem !== undefined) return database.failed(problem.message, problem.advice);
  if (!report.canCreateTables) {
    return database.failed(
      'The user of the database cannot create tables.',
      "Grant the right: 'grant create, usage on schema public to …'.",
    );
  }
  if (!report.isDurable) {
    return database.warning(
      'PostgreSQL acknowledges messages before they are on the disk.',
      'Set fsync and synchronous_commit to on, or a power failure loses messages.',
    );
  }
  const text = `PostgreSQL ${Math.floor(report.version / 10_000)}, ${report.latency.toFixed(1)} ms per query`;
  if (report.latency <= LATENCY_MAX) return database.ok(text);
  return database.warning(text, 'Move the servers and the database closer together.');
}

function checkConnections({
  hasSessions,
  freeConnections: free,
  connectionsPerServer: needed,
}: PostgresReport): Finding {
  if (!hasSessions) return connections.failed(NO_SESSIONS.message, NO_SESSIONS.advice);
  const text = `${free} free, each server uses up to ${needed}`;
  if (free >= needed) return connections.ok(text);
  return connections.warning(text, 'Increase max_connections of PostgreSQL.');
}

/** Checks that servers do not keep media in folders that the others cannot read. */
function checkFolders(
  { servers }: PostgresReport,
  { mediaStore }: Pick<Config, 'mediaStore'>,
): Finding[] {
  if (servers < 2 || mediaStore !== undefined) return [];
  return [
    media.failed(
      `${servers} servers use the database, but each keeps media in a folder of its own, where the others do not find them.`,
      "Set PARLEY_MEDIA_STORE to the same object storage for all of them, or stop all but one. To move media, use 'parley backup' and 'parley restore'.",
    ),
  ];
}

function checkClocks({ clockDifference }: PostgresReport): Finding {
  const difference = Math.abs(clockDifference);
  const text = `The clocks of this machine and of PostgreSQL differ by ${(difference / 1000).toFixed(1)} s.`;
  const advice = 'Synchronize the clocks of all machines, for example with chrony.';
  if (difference > CLOCK_TOLERANCE) return clocks.failed(text, advice);
  if (difference > CLOCK_NOTICEABLE) return clocks.warning(text, advice);
  return clocks.ok('in sync');
}
