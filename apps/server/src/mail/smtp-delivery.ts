import { createTransport } from 'nodemailer';
import { MailRefusedError, createMailHeaders, type MailDelivery } from './mail-delivery.ts';

/** How long a silent mail server is waited for, in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Sends mails by SMTP. `smtps://` is TLS from the first byte; `smtp://` becomes TLS by STARTTLS, and
 * has to where the URL has credentials. Further options of nodemailer can be given in the URL's query.
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

/** How the mail server is spoken to. */
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

// 5xx to the recipient is final (RFC 5321 §4.2.1); to our login or sender it is for the operator to mend.
function isPermanentFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    'command' in error &&
    error.command === 'RCPT TO' &&
    'responseCode' in error &&
    Number(error.responseCode) >= 500
  );
}
