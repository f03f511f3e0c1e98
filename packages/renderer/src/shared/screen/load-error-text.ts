import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';
import { temporaryErrorText } from '../../failures/temporary-error-text.ts';

/** Returns whether the network failed rather than the server: no response, or one that is not from Parley. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'offline' || error.isIntercepted);
}

/** Returns the text for a failed load, with its cause and the user's options. */
export function loadErrorText(t: TFunction, error: unknown): string {
  return temporaryErrorText(t, error) ?? t('error.serverTrouble');
}
