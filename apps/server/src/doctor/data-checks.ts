import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { FREE_MIN } from '../files/disk-space.ts';
import { findUnfinishedRestore } from '../files/unfinished-restore.ts';
import { getFreeBytes } from '../files/free-bytes.ts';
import type { MediaStore } from '../media-store/media-store.ts';
import { databaseFile, inspectDatabase } from '../storage/open.ts';
import {
  describeSqliteError,
  isCorruptionError,
  storageErrorCode,
} from '../storage/storage-errors.ts';
import type { Inspection } from '../storage/database.ts';
import { createFindings, type Finding } from './finding.ts';
import { checkPostgres } from './postgres-check.ts';
import { createDifferenceFinding, createSchemaFinding } from './schema-finding.ts';
import { checkMailboxes } from './mailbox-check.ts';
import { checkMedia } from './media-check.ts';
import { checkPush } from './push-check.ts';
import { checkReports } from './report-check.ts';
import { checkSearch } from './search-check.ts';

const GIB = 2 ** 30;
const folder = createFindings('data folder');
const disk = createFindings('disk');
const database = createFindings('database');

/** Checks the data folder, its disk, the database and the media, without changing anything. */
export async function checkData(config: Config, store: MediaStore): Promise<Finding[]> {
  const { dataDir, databaseUrl } = config;
  const checkSqlite = () => checkDatabase(config, store);
  const checkContents =
    databaseUrl === undefined ? checkSqlite : () => checkPostgres(databaseUrl, config, store);
  const isOnDisk = databaseUrl === undefined;
  if (!existsSync(dataDir)) {
    return [checkParent(dataDir), ...(isOnDisk ? [] : await checkContents())];
  }
  if (!statSync(dataDir).isDirectory()) {
    return [folder.failed(`${dataDir} is not a folder.`, 'Set PARLEY_DATA to another path.')];
  }
  if (findUnfinishedRestore(dataDir) !== undefined) {
    return [
      folder.failed(
        `A restore into ${dataDir} was interrupted or is still running.`,
        "If none is running, run 'parley restore' again; it starts over.",
      ),
    ];
  }
  const findings = [checkFolder(dataDir), await checkDisk(dataDir)];
  if (isOnDisk && !canWrite(dataDir)) {
    return [...findings, database.skipped('Needs a writable data folder.')];
  }
  return [...findings, ...(await checkContents())];
}

/** Checks whether a folder that does not exist yet can be created. */
function checkParent(dataDir: string): Finding {
  let parent = dirname(dataDir);
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent);
  if (statSync(parent).isDirectory() && canWrite(parent)) {
    return folder.skipped(`${dataDir} does not exist yet; the server creates it when it starts.`);
  }
  return folder.failed(
    `${dataDir} does not exist, and the current user cannot create it in ${parent}.`,
    'Create it and make the user of the server its owner, or set PARLEY_DATA to another folder.',
  );
}

function canWrite(path: string): boolean {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return true;
  } catch {
    return false;
  }
}

function describeNotWritable(path: string, dataDir: string): [message: string, advice: string] {
  return [
    `${path} is not writable by the current user.`,
    `Make the server's user its owner: chown -R parley ${dataDir}`,
  ];
}

function checkFolder(dataDir: string): Finding {
  if (!canWrite(dataDir)) return folder.failed(...describeNotWritable(dataDir, dataDir));
  if (isAccessibleToOthers(dataDir)) {
    return folder.warning(
      `${dataDir} is accessible to other users of this machine.`,
      `Restrict it to the server's user: chmod 700 ${dataDir}`,
    );
  }
  return folder.ok(dataDir);
}

function isAccessibleToOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const free = await getFreeBytes(dataDir);
  const text = `${(free / GIB).toFixed(1)} GiB free`;
  const advice =
    'Free up space, or move PARLEY_DATA to a larger disk. Writes fail when the disk is full.';
  if (free < FREE_MIN) return disk.failed(text, advice);
  return free < GIB ? disk.warning(text, advice) : disk.ok(text);
}

async function checkDatabase(config: Config, store: MediaStore): Promise<Finding[]> {
  const { dataDir } = config;
  const file = databaseFile(dataDir);
  if (!existsSync(file)) {
    return [database.skipped('It does not exist yet; the server creates it when it starts.')];
  }
  if (!canWrite(file)) return [database.failed(...describeNotWritable(file, dataDir))];
  let inspection: Inspection | undefined;
  try {
    inspection = inspectDatabase(file);
    const damage = inspection.findDamage();
    if (damage !== undefined) return [createCorruptFinding(damage)];
    if (inspection.hasBrokenReferences()) {
      return [createCorruptFinding('rows reference others that do not exist')];
    }
    return [checkPermissions(file), ...(await checkSchema(inspection, config, store))];
  } catch (error) {
    return [createUnreadableFinding(error)];
  } finally {
    await inspection?.close();
  }
}

/**
 * Checks that an intact database and its write-ahead log are accessible to their owner only. Copying
 * them can change their permissions.
 */
function checkPermissions(file: string): Finding {
  const exposed = ['', '-wal', '-shm'].map((suffix) => file + suffix).filter(isAccessibleToOthers);
  if (exposed.length === 0) return database.ok('intact');
  return database.warning(
    'It is intact, but other users of this machine can read it if they can access the folder.',
    `Restrict it to the server's user: chmod 600 ${exposed.join(' ')}`,
  );
}

function createCorruptFinding(reason: string): Finding {
  return database.failed(
    `The database is corrupt: ${reason}.`,
    'Stop the server, move the data folder aside, and restore the newest backup.',
  );
}

function createUnreadableFinding(error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  if (isCorruptionError(error)) return createCorruptFinding(reason);
  if (storageErrorCode(error) === 'storage_full') {
    return database.skipped('Needs free space on the disk.');
  }
  return database.failed(
    `The database cannot be read: ${describeSqliteError(error) ?? reason}`,
    'The data may be intact: find the cause before you restore a backup.',
  );
}

async function checkSchema(
  inspection: Inspection,
  config: Config,
  store: MediaStore,
): Promise<Finding[]> {
  const finding = createSchemaFinding(
    inspection.schema(),
    'Start the server: it creates a snapshot and upgrades the database.',
  );
  if (finding.outcome !== 'ok') return [finding];
  const difference = await inspection.findSchemaDifference();
  return [
    difference === undefined ? finding : createDifferenceFinding(difference),
    await checkMedia(inspection, await inspection.id(), store),
    await checkReports(inspection),
    await checkSearch(inspection),
    await checkPush(inspection, config),
    await checkMailboxes(inspection),
  ];
}
