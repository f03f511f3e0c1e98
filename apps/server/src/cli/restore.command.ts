import { constants, createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { restoreBackup } from '../backup/restore.service.ts';
import { readConfig } from '../config.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { printResult, type Terminal } from './terminal.ts';

/** `restore`: restores a backup into an empty data folder. */
export const restoreCommand: Command = {
  name: 'restore',
  synopsis: '<file> [--json]',
  summary: 'Restore an archive into an empty data folder',
  details: `The folder in PARLEY_DATA must be empty or not exist. The whole archive is checked first; if
it is damaged, nothing is restored. A backup of an older version is upgraded when the server
starts.

If <file> is -, the archive is read from standard input:
ssh host parley backup - | parley restore -`,
  json: '{"dataDir", "manifest": {"format", "product", "version", "schema", "createdAt"}, "mediaFiles"}',
  options: JSON_OPTION,
  positionals: [1, 1],
  async run(args, terminal) {
    const { dataDir } = readConfig(terminal.env);
    const source = await open(args.positionals[0] ?? '', terminal);
    const result = await restoreBackup(source, dataDir);
    const { manifest, mediaFiles } = result;
    const line = `${dataDir}: restored as of ${manifest.createdAt}, with ${mediaFiles} media files.`;
    printResult(terminal, args.isSet('json'), line, result);
    return EXIT.ok;
  },
};

async function open(name: string, { stdin }: Terminal): Promise<Readable> {
  if (name === '-') return stdin;
  const file = resolve(name);
  await access(file, constants.R_OK);
  return createReadStream(file);
}
