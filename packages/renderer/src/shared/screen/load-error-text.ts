import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';
import { temporaryErrorText } from './temporary-error-text.ts';

/** Whether the network failed rather than the server: nothing answered, or something else did. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'offline' || error.code === 'unreadable');
}

/** Says why something could not be loaded and what to do: offline, too many requests, or the server. */
export function loadErrorText(t: TFunction, error: unknown): string {
  return temporaryErrorText(t, error) ?? t('error.serverTrouble');
}
