import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';

/**
 * Asserts that an email address may register.
 * @throws {AppError} `domain_not_allowed`
 */
export function assertAllowedDomain(
  { allowedDomains }: Pick<Config, 'allowedDomains'>,
  email: string,
): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
    throw new AppError('domain_not_allowed');
  }
}
