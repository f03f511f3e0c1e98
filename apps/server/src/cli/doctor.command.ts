import { isEmail, normalizeEmail } from '@parley/contract';
import { pino } from 'pino';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { checkAddresses, checkServer } from '../doctor/address-checks.ts';
import { checkData } from '../doctor/data-checks.ts';
import type { Finding, Outcome } from '../doctor/finding.ts';
import { checkSocket } from '../doctor/socket-check.ts';
import { checkMail } from '../doctor/mail-check.ts';
import { checkSettings, findInvalidVariables } from '../doctor/settings-check.ts';
import { checkStore } from '../doctor/store-check.ts';
import { LIVE_LIMITS } from '../realtime/live-limits.ts';
import { createMediaStore } from '../media-store/create-media-store.ts';
import { EXIT, JSON_OPTION, UsageError, type Command } from './command.ts';
import { formatColumns, type Terminal } from './terminal.ts';

const OUTCOME_LABELS: Record<Outcome, string> = {
  ok: 'ok',
  warning: 'WARN',
  failed: 'FAIL',
  skipped: '-',
};

/** Milliseconds for which a websocket is left idle: longer than the server leaves it. */
const IDLE_TIME = LIVE_LIMITS.pingInterval + 2_000;

/** `doctor`: checks the configuration and the environment of the server. */
export const doctorCommand: Command = {
  name: 'doctor',
  synopsis: '[--mail <address>] [--quick] [--server] [--json]',
  summary: 'Check variables, data folder, database, mail, public address and proxy',
  details: `Run it as the user of the server and with the same variables. It changes nothing, but --mail
sends a real mail. It fails if a check fails; warnings do not make it fail.
It sends requests through the public address, one of them with 10 MiB, and the running server tells
it how they arrive. It also leaves a websocket idle for half a minute, which --quick skips.
--server only checks whether the server is ready, and fails if it is not. Use it for frequent
health checks by a supervisor.`,
  json: '[{"check", "outcome": "ok" | "warning" | "failed" | "skipped", "message", "advice"}]',
  options: {
    ...JSON_OPTION,
    mail: { type: 'string' },
    quick: { type: 'boolean' },
    server: { type: 'boolean' },
  },
  positionals: [0, 0],
  async run(args, terminal) {
    const to = args.value('mail');
    if (to !== undefined && !isEmail(normalizeEmail(to))) {
      throw new UsageError(`--mail is '${to}', which is not an email address`);
    }
    const printFindings = (findings: readonly Finding[]) =>
      terminal.stdout.write(
        `${args.isSet('json') ? JSON.stringify(findings) : formatFindings(findings)}\n`,
      );
    const config = readConfigOr(terminal.env, (error) =>
      printFindings(findInvalidVariables(error)),
    );
    if (config === undefined) return EXIT.usage;
    if (args.isSet('server')) {
      const finding = await checkServer(config);
      printFindings([finding]);
      return finding.outcome === 'ok' ? EXIT.ok : EXIT.failed;
    }
    if (config.publicUrl !== undefined && !args.isSet('quick') && terminal.stderr.isTTY === true) {
      terminal.stderr.write('Checking, which takes half a minute …\n');
    }
    const log = pino({ level: 'silent' });
    const store = createMediaStore({ ...config, mediaCacheBytes: 0 }, log);
    const findings = [
      ...checkSettings(config),
      ...(await checkData(config, store)),
      ...(await checkStore(config)),
      ...(await checkMail(config, to)),
      ...(await checkAddresses(config, args.isSet('quick') ? undefined : IDLE_TIME)),
      await checkSocket(config),
    ];
    await store.close();
    printFindings(findings);
    return findings.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.ok;
  },
};

/** Reads the settings, or calls `onError` and returns undefined if they are invalid. */
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

function formatFindings(findings: readonly Finding[]): string {
  return formatColumns(
    findings.flatMap(({ check, outcome, message, advice }) => [
      [OUTCOME_LABELS[outcome], check, message],
      ...(advice === '' ? [] : [['', '', `→ ${advice}`]]),
    ]),
  );
}
