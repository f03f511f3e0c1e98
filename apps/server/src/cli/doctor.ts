import { ConfigError, readConfig, type Config } from '../config.ts';
import { checkAddresses, checkServer } from '../doctor/address-checks.ts';
import { checkData } from '../doctor/data-checks.ts';
import type { Finding, Outcome } from '../doctor/finding.ts';
import { checkSocket } from '../doctor/socket-check.ts';
import { checkMail } from '../doctor/mail-check.ts';
import { checkSettings, wrongVariables } from '../doctor/settings-check.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { columns, type Terminal } from './terminal.ts';

const MARKS: Record<Outcome, string> = {
  ok: 'ok',
  warning: 'WARN',
  failed: 'FAIL',
  skipped: '-',
};

/** `doctor`: looks at everything that an operator could have set wrong. */
export const doctor: Command = {
  name: 'doctor',
  synopsis: '[--mail <address>] [--server] [--json]',
  summary: 'Check variables, data folder, database, mail, public address and websocket',
  details: `Run it with the variables, and as the user, of the server. It changes nothing; --mail
sends a real mail. It fails if a check fails; warnings are for you to judge.
--server only asks the server whether it is ready, and fails if it is not: for a
supervisor that asks often.`,
  json: '[{"check", "outcome": "ok" | "warning" | "failed" | "skipped", "message", "advice"}]',
  options: { ...JSON_OPTION, mail: { type: 'string' }, server: { type: 'boolean' } },
  positionals: [0, 0],
  async run(args, terminal) {
    const show = (found: readonly Finding[]) =>
      terminal.stdout.write(`${args.isSet('json') ? JSON.stringify(found) : report(found)}\n`);
    const config = readOr(terminal.env, (error) => show(wrongVariables(error)));
    if (config === undefined) return EXIT.usage;
    if (args.isSet('server')) {
      const found = await checkServer(config);
      show([found]);
      return found.outcome === 'ok' ? EXIT.ok : EXIT.failed;
    }
    const found = [
      ...checkSettings(config),
      ...(await checkData(config)),
      await checkMail(config, args.value('mail')),
      ...(await checkAddresses(config)),
      await checkSocket(config),
    ];
    show(found);
    return found.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.ok;
  },
};

/** The settings; undefined, and told, if they cannot be used. */
function readOr(env: Terminal['env'], tell: (error: ConfigError) => void): Config | undefined {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell(error);
    return undefined;
  }
}

function report(found: readonly Finding[]): string {
  return columns(
    found.flatMap(({ check, outcome, message, advice }) => [
      [MARKS[outcome], check, message],
      ...(advice === '' ? [] : [['', '', `→ ${advice}`]]),
    ]),
  );
}
