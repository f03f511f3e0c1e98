import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { FREE_MIN } from '../files/disk-space.ts';
import { freeBytes } from '../files/free-bytes.ts';
import { mediaPath } from '../media/media-store.ts';
import { listMediaFiles } from '../media/media.service.ts';
import { databaseFile, inspectDatabase } from '../storage/open.ts';
import type { Inspection } from '../storage/storage.ts';
import { findings, type Finding } from './finding.ts';

const GIB = 2 ** 30;
const folder = findings('data folder');
const disk = findings('disk');
const database = findings('database');
const schema = findings('schema');
const media = findings('media');

/** The data folder, its disk, and what is in it. Nothing is changed. */
export async function checkData({ dataDir }: Config): Promise<Finding[]> {
  if (!existsSync(dataDir)) return [checkAbove(dataDir)];
  if (!statSync(dataDir).isDirectory()) {
    return [folder.failed(`${dataDir} is no folder.`, 'Set PARLEY_DATA to another path.')];
  }
  const found = [checkFolder(dataDir), await checkDisk(dataDir)];
  if (!canWrite(dataDir)) return [...found, database.skipped('The data folder has to work first.')];
  return [...found, ...(await checkDatabase(dataDir))];
}

/** A folder that does not exist yet. */
function checkAbove(dataDir: string): Finding {
  let above = dirname(dataDir);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  if (statSync(above).isDirectory() && canWrite(above)) {
    return folder.skipped(`${dataDir} does not exist yet; the server makes it when it starts.`);
  }
  return folder.failed(
    `${dataDir} does not exist, and the user who runs this cannot make it in ${above}.`,
    'Make it, and give it to the user who runs the server, or set PARLEY_DATA to another folder.',
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

function refused(path: string, dataDir: string): [message: string, advice: string] {
  return [
    `${path} cannot be written by the user who runs this.`,
    `Give it to the user who runs the server: chown -R parley ${dataDir}`,
  ];
}

function checkFolder(dataDir: string): Finding {
  if (!canWrite(dataDir)) return folder.failed(...refused(dataDir, dataDir));
  if (isOpenToOthers(dataDir)) {
    return folder.warning(
      `${dataDir} can be entered by other users of this machine.`,
      `Keep it to the server's own user: chmod 700 ${dataDir}`,
    );
  }
  return folder.ok(dataDir);
}

function isOpenToOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const free = await freeBytes(dataDir);
  const text = `${(free / GIB).toFixed(1)} GiB free`;
  const advice = 'Make room, or move PARLEY_DATA to a larger disk. Writes fail when it is full.';
  if (free < FREE_MIN) return disk.failed(text, advice);
  return free < GIB ? disk.warning(text, advice) : disk.ok(text);
}

async function checkDatabase(dataDir: string): Promise<Finding[]> {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) {
    return [database.skipped('There is none yet; the server makes it when it starts.')];
  }
  if (!canWrite(file)) return [database.failed(...refused(file, dataDir))];
  let inspection: Inspection | undefined;
  try {
    inspection = inspectDatabase(file);
    const damage = inspection.findDamage();
    if (damage !== undefined) return [damaged(damage)];
    if (inspection.hasBrokenReferences()) {
      return [damaged('rows refer to others that do not exist')];
    }
    return [checkRights(file), ...(await checkSchema(inspection, dataDir))];
  } catch (error) {
    return [damaged(error instanceof Error ? error.message : String(error))];
  } finally {
    await inspection?.close();
  }
}

/** Whether an intact database is for its owner only, with the log beside it. One that was copied here may not be. */
function checkRights(file: string): Finding {
  const open = ['', '-wal', '-shm'].map((ending) => file + ending).filter(isOpenToOthers);
  if (open.length === 0) return database.ok('intact');
  return database.warning(
    'It is intact, but other users of this machine may read it where they can enter the folder.',
    `Keep it to the server's own user: chmod 600 ${open.join(' ')}`,
  );
}

function damaged(how: string): Finding {
  return database.failed(
    `The database is damaged or cannot be read: ${how}.`,
    'Stop the server, move the data folder aside, and restore the newest backup.',
  );
}

async function checkSchema(inspection: Inspection, dataDir: string): Promise<Finding[]> {
  const { done, pending, unknown } = inspection.schema();
  if (unknown.length > 0) {
    return [
      schema.failed(
        `${unknown.at(-1)} is of a newer version of Parley.`,
        'Run that version again, or restore a backup from before the upgrade.',
      ),
    ];
  }
  if (pending.length > 0) {
    return [
      schema.warning(
        `${done.at(-1) ?? 'none'} is of an older version of Parley.`,
        'Start the server: it makes a snapshot and upgrades the database.',
      ),
    ];
  }
  return [schema.ok(done.at(-1) ?? ''), await checkMedia(inspection, dataDir)];
}

async function checkMedia(inspection: Inspection, dataDir: string): Promise<Finding> {
  const files = await inspection.read(listMediaFiles);
  const missing = files.filter((file) => !existsSync(mediaPath({ dataDir }, file)));
  if (missing.length === 0) return media.ok(`${files.length} files`);
  return media.failed(
    `${missing.length} of ${files.length} files are missing, such as media/${missing[0]}.`,
    'Copy them back from a backup: their messages show nothing.',
  );
}
