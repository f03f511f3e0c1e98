import { resolve } from 'node:path';
import { streamBackup, writeBackup } from '../backup/backup.service.ts';
import { EXIT, JSON_OPTION, UsageError, type Command } from './command.ts';
import { withDataFolder } from './data-folder.ts';
import { printResult } from './terminal.ts';

/** `backup`: database and media in one archive. */
export const backupCommand: Command = {
  name: 'backup',
  synopsis: '<file> [--json]',
  summary: 'Write the database and all media to one archive',
  details: `The server may go on working: the archive holds everything that was acknowledged before
the command began. It is a tar archive with SHA-256 sums; it gets its name once it is
complete, and an existing file is never replaced. It holds password hashes and all
messages, so keep it as safe as the server. Mails in the outbox are not in it.

<file> may be -, the standard output; what is said then goes to the standard error.`,
  json: '{"file", "bytes", "mediaFiles", "schema"}',
  options: JSON_OPTION,
  positionals: [1, 1],
  async run(args, terminal) {
    const [name = ''] = args.positionals;
    const isStream = name === '-';
    if (isStream && terminal.stdout.isTTY === true) {
      throw new UsageError('an archive is nothing for a terminal; send it to a pipe or a file');
    }
    const result = await withDataFolder(terminal, (folder) =>
      isStream ? streamBackup(folder, terminal.stdout) : writeBackup(folder, resolve(name)),
    );
    const { file, bytes, mediaFiles } = result;
    const line = `${file}: ${(bytes / 2 ** 20).toFixed(1)} MiB, database and ${mediaFiles} media files.`;
    const report = isStream ? { ...terminal, stdout: terminal.stderr } : terminal;
    printResult(report, args.isSet('json'), line, result);
    return EXIT.ok;
  },
};
