import { normalizeEmail } from '@parley/contract';
import type { QueuedMail } from './mail-queue.repository.ts';
import type { RenderedMail } from './mail-template.ts';

/** A way to deliver mails: by SMTP, or to files. */
export interface MailDelivery {
  /**
   * Delivers a mail. Resolves once the mail server has accepted it, or the file is written.
   * @throws {MailRefusedError} if a retry is useless; any other error if a retry may succeed.
   */
  deliver(mail: QueuedMail, rendered: RenderedMail, signal: AbortSignal): Promise<void>;
  /**
   * Recalls a mail that was delivered while its account was being deleted. Undefined if delivered
   * mails cannot be recalled.
   */
  recall?(mail: QueuedMail): Promise<void>;
  close(): void;
}

/**
 * Thrown if the mail server permanently refuses a mail, for example because the address does not
 * exist.
 */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

/** Creates the nodemailer message that both deliveries use. */
export function createMailHeaders(mail: QueuedMail, rendered: RenderedMail, from: string) {
  return {
    from,
    // Earlier versions stored some addresses in other forms.
    to: normalizeEmail(mail.email),
    ...rendered,
    // The same id for every attempt lets mail programs recognize duplicates.
    messageId: `<${mail.id}@${getDomain(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    xMailer: false as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function getDomain(from: string): string {
  const domain = /@([^\s<>@"]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return normalizeEmail(`@${domain}`).slice(1);
}
