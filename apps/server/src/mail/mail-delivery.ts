import type { PendingMail } from './mail.repository.ts';
import type { RenderedMail } from './mail-template.ts';

/** Where mails go. */
export interface MailDelivery {
  /**
   * Hands a mail over; resolves once the other side has it.
   * @throws {MailRefusedError} if trying again is useless, any other error if it is not.
   */
  deliver(mail: PendingMail, rendered: RenderedMail, signal: AbortSignal): Promise<void>;
  /** Takes back a mail that was handed over while its account was deleted, where that is possible. */
  recall?(mail: PendingMail): Promise<void>;
  close(): void;
}

/** The mail server will never take this mail, such as for an address that does not exist. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

/** The headers that both deliveries share. */
export function createMailHeaders(mail: PendingMail, rendered: RenderedMail, from: string) {
  return {
    from,
    to: mail.email,
    ...rendered,
    // The same for every attempt: whoever gets a mail twice can tell.
    messageId: `<${mail.id}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    xMailer: false as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
