import { describeVariables, Variables } from '../config-variables.ts';
import { EXIT, JSON_OPTION, UsageError, type Command } from './command.ts';
import { formatColumns } from './terminal.ts';

const EXIT_CODES = 'Exit codes: 0 success, 1 failure, 2 invalid arguments or variables.';

/** Creates `help`, which describes all commands, one command, or the environment variables. */
export function createHelpCommand(commands: readonly Command[]): Command {
  const self: Command = {
    name: 'help',
    synopsis: '[<command> | config [--json]]',
    summary: 'Show help about a command or the environment variables (help config)',
    json: 'config  the JSON schema of the variables',
    options: JSON_OPTION,
    positionals: [0, 1],
    async run(args, { stdout }) {
      const [topic] = args.positionals;
      if (topic === 'config' && args.isSet('json')) {
        stdout.write(`${JSON.stringify(Variables)}\n`);
        return EXIT.ok;
      }
      stdout.write(`${renderTopic(topic)}\n`);
      return EXIT.ok;
    },
  };

  function renderTopic(topic: string | undefined): string {
    const all = [...commands, self];
    if (topic === undefined) return renderOverview(all);
    if (topic === 'config') return renderVariables();
    const command = all.find(({ name }) => name === topic);
    if (command === undefined) throw new UsageError(`unknown command '${topic}'`);
    return renderCommand(command);
  }
  return self;
}

function renderOverview(commands: readonly Command[]): string {
  return `Parley, a self-hosted chat for one-to-one conversations.

Usage: parley [<command>] [<arguments>]

${formatColumns(commands.map(({ name, summary }) => [`  ${name}`, summary]))}

Without a command, Parley runs the server. It is configured by environment variables:
see 'parley help config'. Commands use the data folder in PARLEY_DATA.

${EXIT_CODES}`;
}

function renderCommand({ name, synopsis, summary, details, json }: Command): string {
  const usages = synopsis.split('\n').map((line) => `parley ${name} ${line}`.trimEnd());
  return [
    `Usage: ${usages.join('\n       ')}`,
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    ...(json === undefined
      ? []
      : [`With --json, prints one line:\n${json.replaceAll(/^/gm, '  ')}`]),
    EXIT_CODES,
  ].join('\n\n');
}

function renderVariables(): string {
  const texts = describeVariables().map(
    (variable) =>
      `  ${variable.name}${variable.default === undefined ? '' : ` (default: ${variable.default})`}\n` +
      `      ${variable.description}.`,
  );
  return `Environment variables:\n\n${texts.join('\n')}`;
}
