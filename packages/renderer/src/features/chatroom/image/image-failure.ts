import { ApiError } from '@parley/client';
import { LIMITS } from '@parley/contract';
import type { TFunction } from 'i18next';
import { uploadFailure } from '../upload-failure.ts';

/** What may be chosen; the server looks at the bytes. */
export const IMAGE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/gif',
  'image/webp',
];

/** What to tell where a picture could not be uploaded. */
export function imageFailure(error: unknown, t: TFunction): string {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'offline') return t('error.offline');
  if (code === 'media_too_complex') return t('composer.imageTooComplex');
  if (code === 'unsupported_media') return t('composer.imageType');
  if (code === 'too_large') {
    return t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 });
  }
  return uploadFailure(error, t) ?? t('composer.imageFailed');
}
