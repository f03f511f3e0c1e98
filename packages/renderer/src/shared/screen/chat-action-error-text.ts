import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';
import { temporaryErrorText } from './temporary-error-text.ts';

/** Returns the text for a chat that could not be accepted, declined, blocked or unblocked. */
export function chatActionErrorText(t: TFunction, error: unknown): string {
  if (error instanceof ApiError && error.code === 'already_accepted') {
    return t('request.alreadyAccepted');
  }
  return temporaryErrorText(t, error) ?? t('request.failed');
}
