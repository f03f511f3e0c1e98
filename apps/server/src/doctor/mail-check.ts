import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { createSmtpOptions } from '../mail/smtp-delivery.ts';
import { findings, type Finding } from './finding.ts';

const { ok, warning, failed } = findings('mail');

/** Logs in to the mail server; sends a real mail if `to` is given. */
export async function checkMail(
  { smtpUrl, mailFrom }: Config,
  to: string | undefined,
): Promise<Finding> {
  if (smtpUrl === undefined) {
    return warning(
      'PARLEY_SMTP_URL is not set: each mail is a file in the folder outbox/.',
      "Set it, or help people with 'parley user verify' and 'parley user reset-link'.",
    );
  }
  const transport = createTransport(createSmtpOptions(smtpUrl));
  try {
    if (to === undefined) {
      await transport.verify();
      return ok('The mail server lets us in. To send a test mail: parley doctor --mail <address>');
    }
    await transport.sendMail({
      from: mailFrom,
      to,
      subject: 'Test mail of Parley',
      text: 'This mail was sent by «parley doctor». Mails of this server arrive.\n',
    });
    return ok(`A test mail to ${to} was handed over. Look whether it arrives, and not as spam.`);
  } catch (error) {
    return explain(error);
  } finally {
    transport.close();
  }
}

function explain(error: unknown): Finding {
  const { code, message, responseCode } = error as Error & {
    code?: string;
    responseCode?: number;
  };
  const said = responseCode === undefined ? message : `it answered ${responseCode}`;
  switch (code) {
    case 'EAUTH':
      return failed(
        `The mail server refused the login (${said}).`,
        'Check user and password in PARLEY_SMTP_URL; special characters must be percent-encoded.',
      );
    case 'EDNS':
    case 'ENOTFOUND':
    case 'ECONNECTION':
    case 'ECONNREFUSED':
    case 'ESOCKET':
    case 'ETIMEDOUT':
      return failed(
        `The mail server cannot be reached (${said}).`,
        'Check host and port in PARLEY_SMTP_URL (smtps:// for 465, smtp:// for 587), and the firewall.',
      );
    case 'EENVELOPE':
      return failed(
        `The mail server refused the sender or the recipient (${said}).`,
        'Set PARLEY_MAIL_FROM to an address that it may send for.',
      );
    default:
      return failed(`The mail could not be sent (${said}).`, 'Check PARLEY_SMTP_URL.');
  }
}
