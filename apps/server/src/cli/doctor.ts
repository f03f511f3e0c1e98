import { ConfigError, readConfig, type Config } from '../config.ts';
import { checkAddresses, checkServer } from '../doctor/address-checks.ts';
import { checkData } from '../doctor/data-checks.ts';
import type { Finding, Outcome } from '../doctor/finding.ts';
import { checkSocket } from '../doctor/socket-check.ts';
import { checkMail } from '../doctor/mail-check.ts';
import { checkSettings, wrongVariables } from '../doctor/settings-check.ts';
import { EXIT, JSON_OPTION, type Command } from './command.ts';
import { formatColumns, type Terminal } from './terminal.ts';

const MARKS: Record<Outcome, string> = {
  ok: 'ok',
  warning: 'WARN',
  failed: 'FAIL',
  skipped: '-',
};

/** `doctor`: looks at everything that an operator could have set wrong. */
export const doctorCommand: Command = {
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
    const show = (findings: readonly Finding[]) =>
      terminal.stdout.write(
        `${args.isSet('json') ? JSON.stringify(findings) : report(findings)}\n`,
      );
    const config = readConfigOr(terminal.env, (error) => show(wrongVariables(error)));
    if (config === undefined) return EXIT.usage;
    if (args.isSet('server')) {
      const finding = await checkServer(config);
      show([finding]);
      return finding.outcome === 'ok' ? EXIT.ok : EXIT.failed;
    }
    const findings = [
      ...checkSettings(config),
      ...(await checkData(config)),
      await checkMail(config, args.value('mail')),
      ...(await checkAddresses(config)),
      await checkSocket(config),
    ];
    show(findings);
    return findings.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.ok;
  },
};

/** The settings; undefined, and told, if they cannot be used. */
function readConfigOr(
  env: Terminal['env'],
  onError: (error: ConfigError) => void,
): Config | undefined {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    onError(error);
    return undefined;
  }
}

function report(findings: readonly Finding[]): string {
  return formatColumns(
    findings.flatMap(({ check, outcome, message, advice }) => [
      [MARKS[outcome], check, message],
      ...(advice === '' ? [] : [['', '', `→ ${advice}`]]),
    ]),
  );
}
