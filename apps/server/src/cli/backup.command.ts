import { resolve } from 'node:path';
import { streamBackup, writeBackup } from '../backup/backup.service.ts';
import { describeFileCount } from '../files/file-count.ts';
import { EXIT, JSON_OPTION, UsageError, type Command } from './command.ts';
import { withDataFolder } from './data-folder.ts';
import { createProgressLine } from './progress-line.ts';
import { printResult } from './terminal.ts';

/** `backup`: writes database and media to an archive. */
export const backupCommand: Command = {
  name: 'backup',
  synopsis: '<file> [--json]',
  summary: 'Write the database and all media to one archive',
  details: `The server can keep running: the archive contains everything acknowledged before the command
started. It is a tar archive with SHA-256 checksums. It gets its name once it is complete, and an
existing file is never replaced. It contains password hashes and all messages, so protect it like
the server. Mails in the outbox are not included.

The archive is the same for both database engines: a backup of PostgreSQL can be restored without
it, and the other way round.

If <file> is -, the archive is written to standard output and messages to standard error.`,
  json: '{"file", "bytes", "mediaFiles", "schema"}',
  options: JSON_OPTION,
  positionals: [1, 1],
  async run(args, terminal) {
    const [name = ''] = args.positionals;
    const isStream = name === '-';
    if (isStream && terminal.stdout.isTTY === true) {
      throw new UsageError('refusing to write an archive to a terminal; use a pipe or a file');
    }
    const progress = createProgressLine(terminal);
    const result = await withDataFolder(terminal, (folder) => {
      const source = { ...folder, onProgress: progress.report };
      return isStream ? streamBackup(source, terminal.stdout) : writeBackup(source, resolve(name));
    }).finally(progress.clear);
    const { file, bytes, mediaFiles } = result;
    const line = `${file}: ${(bytes / 2 ** 20).toFixed(1)} MiB, database and ${describeFileCount(mediaFiles, 'media file')}.`;
    const report = isStream ? { ...terminal, stdout: terminal.stderr } : terminal;
    printResult(report, args.isSet('json'), line, result);
    return EXIT.ok;
  },
};
