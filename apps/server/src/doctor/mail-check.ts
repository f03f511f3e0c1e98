import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { normalizeEmail } from '@parley/contract';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { announcesSmtpUtf8, createResponseLogger } from '../mail/server-responses.ts';
import { createSmtpOptions } from '../mail/smtp-delivery.ts';
import { checkClock } from './clock-check.ts';
import { createFindings, type Finding } from './finding.ts';
import { explainCertificate } from './probe-error.ts';
import { differenceOf } from './probe.ts';

const { ok, warning, failed } = createFindings('mail');

/** Milliseconds for a handshake with a port that sends no greeting. */
const HANDSHAKE_TIMEOUT = 10_000;
/** Milliseconds for the whole login and mail. Nodemailer only limits how long nothing arrives. */
const DEADLINE = 120_000;

/**
 * Logs in to the mail server and, if `to` is given, sends a test mail. Also compares the clocks if the greeting of the
 * mail server contains the time, as that of many does. `deadline` is in milliseconds.
 */
export async function checkMail(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  to: string | undefined,
  deadline = DEADLINE,
): Promise<Finding[]> {
  if (smtpUrl === undefined) {
    return [
      warning(
        'PARLEY_SMTP_URL is not set, so mails are written to files in the folder outbox/.',
        "Set it, or help users with 'parley user verify' and 'parley user reset-link'.",
      ),
    ];
  }
  const { host } = new URL(smtpUrl);
  let difference: number | undefined;
  let isGreeted = false;
  let supportsUtf8 = false;
  const logger = createResponseLogger((response) => {
    if (!isGreeted) difference = differenceOf(DATE.exec(response)?.[0], Date.now());
    isGreeted = true;
    supportsUtf8 ||= announcesSmtpUtf8(response);
  });
  const transport = createTransport({
    ...createSmtpOptions(smtpUrl),
    logger,
    debug: true,
  });
  const send = async (): Promise<Finding> => {
    if (to === undefined) {
      await transport.verify();
      const works = `The ${new URL(smtpUrl).username === '' ? 'connection' : 'login'} to the mail server works.`;
      const limit = supportsUtf8
        ? ''
        : ' It does not support SMTPUTF8, so only addresses that are ASCII before the @ can register.';
      return ok(`${works}${limit} To send a test mail: parley doctor --mail <address>`);
    }
    await transport.sendMail({
      from: mailFrom,
      to: normalizeEmail(to),
      subject: 'Test mail from Parley',
      text: 'This mail was sent by "parley doctor". The mail configuration of this server works.\n',
    });
    return ok(
      `The mail server accepted a test mail to ${to}. Check that it arrives, and not as spam.`,
    );
  };
  const ended = new AbortController();
  try {
    const sent = await Promise.race([
      send().catch((error: unknown) => explain(error, smtpUrl, difference)),
      sleep(deadline, undefined, { signal: ended.signal }).then(() =>
        failed(
          `The mail server did not finish within ${deadline / 1000} seconds.`,
          'Check whether it is overloaded, and the host and port in PARLEY_SMTP_URL.',
        ),
      ),
    ]);
    return [sent, ...checkClock(host, difference)];
  } finally {
    ended.abort();
    transport.close();
  }
}

/** A date as in mails (RFC 5322 §3.3), such as `Sat, 28 Nov 2026 12:00:00 +0000`. */
const DATE = /\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:[+-]\d{4}|GMT|UTC)/;

/** An error of nodemailer. */
interface MailError extends Error {
  readonly code?: string;
  /** Code of Node or OpenSSL. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

async function explain(
  error: unknown,
  smtpUrl: string,
  difference: number | undefined,
): Promise<Finding> {
  const problem = error as MailError;
  const { code, originalCode = '', message, response } = problem;
  const host = new URL(smtpUrl).hostname;
  const explained = explainCertificate({
    code: originalCode,
    host,
    variable: 'PARLEY_SMTP_URL',
    clockDifference: difference,
  });
  if (explained !== undefined) return failed(...explained);
  const isImplicit = smtpUrl.startsWith('smtps:');
  if (isImplicit && /WRONG_VERSION|EPROTO/.test(originalCode)) {
    return failed(
      `${host} does not speak TLS from the start on this port.`,
      'Use smtp:// in PARLEY_SMTP_URL, which starts TLS after the greeting (STARTTLS, port 587), or port 465.',
    );
  }
  if (/^(?:ERR_SSL|EPROTO)/.test(originalCode)) {
    return failed(
      `The TLS handshake with ${host} failed (${originalCode}).`,
      'Parley needs TLS 1.2 or newer: update the mail server, or check the port in PARLEY_SMTP_URL.',
    );
  }
  if (!isImplicit && /Greeting never received/.test(message)) {
    return (await speaksTls(new URL(smtpUrl)))
      ? failed(
          `${host} speaks TLS from the start on this port.`,
          'Use smtps:// in PARLEY_SMTP_URL for such a port, which usually is 465, or port 587 with smtp://.',
        )
      : failed(
          `${host} sends no greeting on this port.`,
          'Check the host and port in PARLEY_SMTP_URL: the port may belong to another program than a mail server.',
        );
  }
  if (code === 'ETLS') {
    return failed(
      `${host} offers no encryption on this port, without which Parley sends no password.`,
      'Use smtps:// with port 465, or a port with STARTTLS, which usually is 587. If the mail server needs no login, remove the user and the password from PARLEY_SMTP_URL.',
    );
  }
  if (/^(?:EDNS|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '')) {
    return failed(
      `The name of the mail server ${host} cannot be resolved (${originalCode || message}).`,
      'Check the host in PARLEY_SMTP_URL, and the DNS of this machine.',
    );
  }
  if (response !== undefined) return explainResponse(problem, response);
  return failed(
    `The mail server cannot be reached (${message.trim()}).`,
    'Check the host and port in PARLEY_SMTP_URL (smtps:// for 465, smtp:// for 587), and the firewall.',
  );
}

/** Returns whether a port speaks TLS from the start, with whatever certificate. */
async function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || 587), rejectUnauthorized: false });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(HANDSHAKE_TIMEOUT) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Explains a response of the mail server that rejects a command (RFC 5321 §4.2.3). */
function explainResponse({ command, responseCode }: MailError, response: string): Finding {
  const said = `: ${response.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  if (responseCode === undefined) {
    return failed(
      `The port in PARLEY_SMTP_URL does not belong to a mail server${said}`,
      'Check the host and port in PARLEY_SMTP_URL (smtps:// for 465, smtp:// for 587).',
    );
  }
  if (responseCode < 500) {
    return warning(
      `The mail server rejects it for now${said}`,
      'Parley tries again later, as mail servers demand of new senders (greylisting) or under load. If it lasts, ask the operator of the mail server.',
    );
  }
  if (responseCode === 530) {
    return failed(
      `The mail server demands a login or encryption${said}`,
      'Add the user and the password to PARLEY_SMTP_URL, such as smtps://user:password@mail.example.org.',
    );
  }
  if (command?.startsWith('AUTH') === true) {
    return failed(
      `The mail server rejected the login${said}`,
      responseCode === 534 || responseCode === 538
        ? 'It wants another kind of login: create a password for apps in the settings of its account, and use smtps://.'
        : 'Check the user and password in PARLEY_SMTP_URL; special characters must be percent-encoded.',
    );
  }
  switch (command) {
    case 'CONN':
    case 'EHLO':
    case 'HELO':
      return failed(
        `The mail server does not accept mails from this machine${said}`,
        'Ask its operator, or use the mail server of your provider.',
      );
    case 'MAIL FROM':
      return failed(
        `The mail server rejected the sender${said}`,
        'Set PARLEY_MAIL_FROM to an address that this login may send from.',
      );
    case 'RCPT TO':
      return failed(
        `The mail server rejected the recipient${said}`,
        'Check that the address exists. If it does, the mail server may deliver to other domains only after a login: add a user and a password to PARLEY_SMTP_URL.',
      );
    default:
      return failed(
        `The mail server rejected the content of the mail${said}`,
        'It may take it for spam. Check the SPF, DKIM and DMARC entries of the domain in PARLEY_MAIL_FROM.',
      );
  }
}
