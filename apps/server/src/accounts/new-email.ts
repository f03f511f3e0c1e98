import { AppError } from '../errors/app-error.ts';
import type { AccountContext, NewEmailContext } from './account-context.ts';

/**
 * Asserts that the operator allows an email address for accounts.
 * @throws {AppError} `domain_not_allowed`
 */
export function assertAllowedDomain(
  { allowedDomains }: AccountContext['config'],
  email: string,
): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
    throw new AppError('domain_not_allowed');
  }
}

/**
 * Asserts that the mail server can send mails to an email address.
 * @throws {AppError} `email_not_supported`
 */
export async function assertDeliverable(
  { supportsSmtpUtf8 }: Pick<NewEmailContext, 'supportsSmtpUtf8'>,
  email: string,
): Promise<void> {
  const isAscii = /^\p{ASCII}*$/u.test(email);
  if (!isAscii && !(await supportsSmtpUtf8())) throw new AppError('email_not_supported');
}
