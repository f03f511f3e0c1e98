import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { restoreBackup } from '../backup/restore.service.ts';
import { readConfig } from '../config.ts';
import { describeFileCount } from '../files/file-count.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { createProgressLine } from './progress-line.ts';
import { printResult, type Terminal } from './terminal.ts';

/** `restore`: restores a backup into an empty data folder. */
export const restoreCommand: Command = {
  name: 'restore',
  synopsis: '<file> [--json]',
  summary: 'Restore an archive into an empty data folder',
  details: `The folder in PARLEY_DATA must be empty or not exist. The whole archive is checked first; if
it is damaged, nothing is restored. A backup of an older version is upgraded when the server
starts.

If PARLEY_DATABASE_URL is set, the database is restored to PostgreSQL, whichever engine the backup
comes from, and the media to the folder. The PostgreSQL database must be empty.

If PARLEY_MEDIA_STORE is set, the media are restored to object storage, which must be empty.

If <file> is -, the archive is read from standard input:
ssh host parley backup - | parley restore -`,
  json: '{"dataDir", "manifest": {"format", "product", "version", "schema", "createdAt"}, "mediaFiles"}',
  options: JSON_OPTION,
  positionals: [1, 1],
  async run(args, terminal) {
    const config = readConfig(terminal.env);
    const archive = await open(args.positionals[0] ?? '', terminal);
    const progress = createProgressLine(terminal);
    const options = { ...archive, config, onProgress: progress.report };
    const result = await restoreBackup(options).finally(progress.clear);
    const { dataDir, manifest, mediaFiles } = result;
    const line = `${dataDir}: restored as of ${manifest.createdAt}, with ${describeFileCount(mediaFiles, 'media file')}.`;
    printResult(terminal, args.isSet('json'), line, result);
    return EXIT.ok;
  },
};

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
