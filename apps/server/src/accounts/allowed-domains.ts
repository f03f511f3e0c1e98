import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';

/** @throws {AppError} `domain_not_allowed` if only addresses of other domains may register. */
export function assertAllowedDomain(
  { allowedDomains }: Pick<Config, 'allowedDomains'>,
  email: string,
): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (allowedDomains.length > 0 && !allowedDomains.includes(domain)) {
    throw new AppError('domain_not_allowed');
  }
}
