import { createTransport } from 'nodemailer';
import { MailRefusedError, createMailHeaders, type MailDelivery } from './mail-delivery.ts';

/** Milliseconds to wait for a mail server that does not respond. */
const TIMEOUT = 30_000;

/**
 * Creates the delivery by SMTP. `smtps://` uses implicit TLS; `smtp://` uses STARTTLS if offered,
 * and requires it if the URL has credentials. The query of the URL may contain further nodemailer
 * options.
 */
export function createSmtpDelivery(smtpUrl: string, from: string): MailDelivery {
  const transport = createTransport(createSmtpOptions(smtpUrl));
  return {
    async deliver(mail, rendered, signal) {
      try {
        await transport.sendMail({ ...createMailHeaders(mail, rendered, from), signal });
      } catch (error) {
        throw isPermanentFailure(error) ? new MailRefusedError('refused', { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** Creates nodemailer's options for the connection to the mail server. */
export function createSmtpOptions(smtpUrl: string) {
  return {
    url: smtpUrl,
    requireTLS: smtpUrl.startsWith('smtp:') && URL.parse(smtpUrl)?.username !== '',
    tls: { minVersion: 'TLSv1.2' as const },
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  };
}

// 5xx for the recipient is permanent (RFC 5321 §4.2.1). For the login or sender, the operator can
// fix it.
function isPermanentFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    'command' in error &&
    error.command === 'RCPT TO' &&
    'responseCode' in error &&
    Number(error.responseCode) >= 500
  );
}
