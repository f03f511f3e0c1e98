import { ApiError } from '@parley/client';
import type { ErrorCode } from '@parley/contract';

/** The fields of the forms that change the email address, with the keys of their texts, by error code. */
const FAILURES = {
  wrong_password: { field: 'password', text: 'settings.passwordWrong' },
  already_verified: { field: 'newEmail', text: 'settings.emailOwn' },
  domain_not_allowed: { field: 'newEmail', text: 'settings.emailDomain' },
  email_not_supported: { field: 'newEmail', text: 'register.emailNotSupported' },
  key_mismatch: { field: 'key', text: 'settings.emailKeyWrong' },
  account_taken: { field: 'key', text: 'settings.emailTaken' },
} as const satisfies Partial<Record<ErrorCode, { field: string; text: string }>>;

type Failure = (typeof FAILURES)[keyof typeof FAILURES];

/** Returns the field that an error belongs to with the key of its text; undefined for other errors. */
export function emailChangeError(error: unknown): Failure | undefined {
  if (!(error instanceof ApiError) || error.code === undefined) return undefined;
  return Object.hasOwn(FAILURES, error.code)
    ? FAILURES[error.code as keyof typeof FAILURES]
    : undefined;
}
