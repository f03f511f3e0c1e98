import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { restoreBackup } from '../backup/restore.service.ts';
import { readConfig } from '../config.ts';
import { findOtherServer } from '../doctor/local-server.ts';
import { describeFileCount } from '../files/file-count.ts';
import {
  CommandError,
  EXIT,
  JSON_OPTION,
  UsageError,
  type Arguments,
  type Command,
} from './command.ts';
import { createProgressLine } from './progress-line.ts';
import { printResult, type Terminal } from './terminal.ts';

const QUESTION =
  'Does this server replace the one of the backup, and notify the browsers of its users? [y/N] ';

/** `restore`: restores a backup into an empty data folder. */
export const restoreCommand: Command = {
  name: 'restore',
  synopsis: '<file> [--keep-subscriptions | --discard-subscriptions] [--json]',
  summary: 'Restore an archive into an empty data folder',
  details: `The folder in PARLEY_DATA must be empty or not exist. The whole archive is checked first; if
it is damaged, nothing is restored. A backup of an older version is upgraded when the server
starts.

If PARLEY_DATABASE_URL is set, the database is restored to PostgreSQL, whichever engine the backup
comes from, and the media to the folder. The PostgreSQL database must be empty.

If PARLEY_MEDIA_STORE is set, the media are restored to object storage, which must be empty.

Browsers with notifications are subscribed to one server. Keep their subscriptions if the
restored server replaces the one of the backup. Discard them if both go on running, or if this is
a copy, so that users are not notified twice. Without an option, the command asks; if it cannot, it
discards them. Browsers subscribe again when users open the site of the restored server.

If <file> is -, the archive is read from standard input:
ssh host parley backup - | parley restore -`,
  json: `{"dataDir", "manifest": {"format", "product", "version", "schema", "createdAt"}, "mediaFiles",
 "keptSubscriptions"}`,
  options: {
    ...JSON_OPTION,
    'keep-subscriptions': { type: 'boolean' },
    'discard-subscriptions': { type: 'boolean' },
  },
  positionals: [1, 1],
  async run(args, terminal) {
    const config = readConfig(terminal.env);
    const choice = findChoice(args);
    const archive = await open(args.positionals[0] ?? '', terminal);
    const canAsk = args.positionals[0] !== '-';
    const keptSubscriptions = choice ?? (canAsk && (await askForSubscriptions(terminal)));
    const progress = createProgressLine(terminal);
    const options = {
      ...archive,
      config,
      shouldKeepSubscriptions: keptSubscriptions,
      onProgress: progress.report,
    };
    const result = await restoreBackup(options).finally(progress.clear);
    const { dataDir, manifest, mediaFiles } = result;
    const line =
      `${dataDir}: restored as of ${manifest.createdAt}, with ${describeFileCount(mediaFiles, 'media file')}. ` +
      `Subscriptions to notifications were ${keptSubscriptions ? 'kept' : 'discarded'}.`;
    printResult(terminal, args.isSet('json'), line, { ...result, keptSubscriptions });
    const other = await findOtherServer(config);
    if (other !== undefined) {
      terminal.stderr.write(
        `The server at ${other} does not use ${dataDir}. To replace it, stop it, and start a server with the variables ` +
          'of this command.\n',
      );
    }
    return EXIT.ok;
  },
};

/**
 * Returns whether an option keeps the subscriptions; undefined without one.
 * @throws {UsageError} if both options are given
 */
function findChoice(args: Arguments): boolean | undefined {
  const [isKeep, isDiscard] = [
    args.isSet('keep-subscriptions'),
    args.isSet('discard-subscriptions'),
  ];
  if (isKeep && isDiscard) {
    throw new UsageError('--keep-subscriptions and --discard-subscriptions exclude each other');
  }
  return isKeep || isDiscard ? isKeep : undefined;
}

/**
 * Asks whether to keep the subscriptions. Without a terminal, they are discarded.
 * @throws {CommandError} if the user cancels the command instead of answering
 */
async function askForSubscriptions({ stdin, stderr }: Terminal): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return false;
  const terminal = createInterface({ input: stdin, output: stderr });
  // Ctrl+C and the end of the input close it. Versions of Node differ in what becomes of the question then.
  const closed = new AbortController();
  terminal.on('SIGINT', () => closed.abort());
  terminal.on('close', () => closed.abort());
  try {
    const answer = await terminal.question(QUESTION, { signal: closed.signal });
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    stderr.write('\n');
    throw new CommandError('Canceled; nothing was restored.');
  } finally {
    terminal.close();
  }
}

async function open(
  name: string,
  { stdin }: Terminal,
): Promise<{ source: Readable; size?: number }> {
  if (name === '-') return { source: stdin };
  const file = resolve(name);
  await access(file, constants.R_OK);
  const { size } = await stat(file);
  return { source: createReadStream(file), size };
}
