import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';

/** What to tell where an upload failed for a reason that any file would have met; undefined where not. */
export function uploadFailure(error: unknown, t: TFunction): string | undefined {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'rate_limited') return t('error.rateLimited');
  if (code === 'quota_media') return t('composer.quotaMedia');
  if (code === 'storage_full') return t('composer.storageFull');
  if (code === 'too_slow') return t('composer.tooSlow');
  return undefined;
}
