import SQLite from 'better-sqlite3';
import { migrations } from '../db/migrations/index.ts';
import { isSingleBinary } from '../single-binary/assets.ts';
import { VERSION } from '../version.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { say } from './terminal.ts';

/** `version`: which Parley this is. */
export const version: Command = {
  name: 'version',
  synopsis: '[--json]',
  summary: 'Show the version',
  json: '{"version", "schema", "node", "sqlite", "platform", "singleBinary"}',
  options: JSON_OPTION,
  positionals: [0, 0],
  async run(args, terminal) {
    const sqlite = new SQLite(':memory:');
    const facts = {
      version: VERSION,
      schema: Object.keys(migrations).toSorted().at(-1),
      node: process.versions.node,
      sqlite: sqlite.prepare('select sqlite_version()').pluck().get(),
      platform: `${process.platform}-${process.arch}`,
      singleBinary: isSingleBinary(),
    };
    sqlite.close();
    say(terminal, args.isSet('json'), `parley ${VERSION}`, facts);
    return EXIT.ok;
  },
};
