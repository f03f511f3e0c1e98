import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore.service.ts';
import { readConfig } from '../config.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { say } from './terminal.ts';

/** `restore`: a backup into an empty folder. */
export const restore: Command = {
  name: 'restore',
  synopsis: '<file> [--json]',
  summary: 'Restore an archive into an empty data folder',
  details: `The folder that PARLEY_DATA names must be empty or not exist. The archive is checked as a
whole first; if anything is wrong with it, nothing is restored. A backup of an older
version is upgraded when the server starts.`,
  options: JSON_OPTION,
  positionals: [1, 1],
  async run(args, terminal) {
    const { dataDir } = readConfig(terminal.env);
    const result = await restoreBackup(resolve(args.positionals[0] ?? ''), dataDir);
    const { manifest, mediaFiles } = result;
    const line = `${dataDir}: restored as of ${manifest.createdAt}, with ${mediaFiles} media files.`;
    say(terminal, args.isSet('json'), line, result);
    return EXIT.ok;
  },
};
