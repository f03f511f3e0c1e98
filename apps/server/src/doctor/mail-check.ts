import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { createSmtpOptions } from '../mail/smtp-delivery.ts';
import { createFindings, type Finding } from './finding.ts';

const { ok, warning, failed } = createFindings('mail');

/** Logs in to the mail server and, if `to` is given, sends a test mail. */
export async function checkMail(
  { smtpUrl, mailFrom }: Config,
  to: string | undefined,
): Promise<Finding> {
  if (smtpUrl === undefined) {
    return warning(
      'PARLEY_SMTP_URL is not set, so mails are written to files in the folder outbox/.',
      "Set it, or help users with 'parley user verify' and 'parley user reset-link'.",
    );
  }
  const transport = createTransport(createSmtpOptions(smtpUrl));
  try {
    if (to === undefined) {
      await transport.verify();
      return ok(
        'The login to the mail server works. To send a test mail: parley doctor --mail <address>',
      );
    }
    await transport.sendMail({
      from: mailFrom,
      to,
      subject: 'Test mail from Parley',
      text: 'This mail was sent by "parley doctor". The mail configuration of this server works.\n',
    });
    return ok(
      `The mail server accepted a test mail to ${to}. Check that it arrives, and not as spam.`,
    );
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
  const reason = responseCode === undefined ? message : `response ${responseCode}`;
  switch (code) {
    case 'EAUTH':
      return failed(
        `The mail server rejected the login (${reason}).`,
        'Check the user and password in PARLEY_SMTP_URL; special characters must be percent-encoded.',
      );
    case 'EDNS':
    case 'ENOTFOUND':
    case 'ECONNECTION':
    case 'ECONNREFUSED':
    case 'ESOCKET':
    case 'ETIMEDOUT':
      return failed(
        `The mail server cannot be reached (${reason}).`,
        'Check the host and port in PARLEY_SMTP_URL (smtps:// for 465, smtp:// for 587), and the firewall.',
      );
    case 'EENVELOPE':
      return failed(
        `The mail server rejected the sender or the recipient (${reason}).`,
        'Set PARLEY_MAIL_FROM to an address that this login may send from.',
      );
    default:
      return failed(`The mail could not be sent (${reason}).`, 'Check PARLEY_SMTP_URL.');
  }
}
