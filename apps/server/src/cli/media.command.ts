import { loadOwner } from '../media-store/store-owner.ts';
import { CommandError, EXIT, JSON_OPTION, UsageError, type Command } from './command.ts';
import { withDataFolder } from './data-folder.ts';
import { printResult } from './terminal.ts';

/** `media`: manages the object storage of media. */
export const mediaCommand: Command = {
  name: 'media',
  synopsis: 'adopt [--json]',
  summary: 'Let this database take over the object storage of a copy of it',
  details: `The object storage in PARLEY_MEDIA_STORE belongs to one database. Servers on a copy of it, such
as a dump that was loaded elsewhere, read and add files but delete none, so that a test
installation does not delete the files of the original. If the copy replaces the original, run
this once with the variables of its servers: within a minute, they delete files and those of the
original do not.`,
  json: '{"adopted"}',
  options: JSON_OPTION,
  positionals: [0, 1],
  async run(args, terminal) {
    const [action] = args.positionals;
    if (action === undefined) throw new UsageError('missing an action: adopt');
    if (action !== 'adopt') throw new UsageError(`unknown action 'media ${action}'`);
    await withDataFolder(terminal, async ({ config, storage, maintenance, media }) => {
      if (config.mediaStore === undefined) throw new CommandError('PARLEY_MEDIA_STORE is not set.');
      const owner = await loadOwner(storage, await maintenance.id());
      await media.claim(owner, { takeOver: true });
    });
    const line = 'The media store belongs to this database now.';
    printResult(terminal, args.isSet('json'), line, { adopted: true });
    return EXIT.ok;
  },
};
