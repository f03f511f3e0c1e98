import { migrations } from '../storage/migrations/index.ts';
import { isSingleBinary } from '../single-binary/built-files.ts';
import { engineVersion } from '../storage/open.ts';
import { BUILD, describeVersion, VERSION } from '../version.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { printResult } from './terminal.ts';

/** `version`: prints the version and the build. */
export const versionCommand: Command = {
  name: 'version',
  synopsis: '[--json]',
  summary: 'Show the version and the build',
  json: '{"version", "commit", "date", "schema", "node", "sqlite", "platform", "singleBinary"}',
  options: JSON_OPTION,
  positionals: [0, 0],
  async run(args, terminal) {
    const facts = {
      version: VERSION,
      ...BUILD,
      schema: Object.keys(migrations).toSorted().at(-1),
      node: process.versions.node,
      sqlite: engineVersion(),
      platform: `${process.platform}-${process.arch}`,
      singleBinary: isSingleBinary(),
    };
    printResult(terminal, args.isSet('json'), `parley ${describeVersion()}`, facts);
    return EXIT.ok;
  },
};
