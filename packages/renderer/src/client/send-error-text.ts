import type { ApiError, MediaKind, OutboxEntry } from '@parley/client';
import { LIMITS } from '@parley/contract';
import type { TFunction } from 'i18next';

/** Returns the text for an outbox entry that failed; undefined if its row in the message list shows the failure. */
export function sendErrorText(
  { to, file, source, failReason }: OutboxEntry,
  error: ApiError,
  t: TFunction,
): string | undefined {
  if (error.code === 'quota_messages') return t('composer.quotaMessages');
  if (to.partnerName !== undefined) {
    if (error.code === 'partner_blocked') return t('block.refused');
    if (error.code === 'not_accepting_messages') {
      return t('findUser.closed', { name: to.partnerName });
    }
    return error.status === 404 ? t('newChatroom.notFound') : t('newChatroom.failed');
  }
  if (error.code === 'partner_deleted') return t('room.partnerDeleted');
  if (file) return FILE_ERROR_TEXTS[file.kind](error, t);
  if (failReason) return t('forward.originalDeleted');
  return source && uploadErrorText(error, t);
}

/** The texts for upload failures by the kind of the file. */
const FILE_ERROR_TEXTS: Readonly<Record<MediaKind, (error: ApiError, t: TFunction) => string>> = {
  image: imageErrorText,
  audio: (error, t) => uploadErrorText(error, t) ?? t('recorder.uploadFailed'),
};

function imageErrorText(error: ApiError, t: TFunction): string {
  const { code } = error;
  if (code === 'offline') return t('error.offline');
  if (code === 'media_too_complex') return t('composer.imageTooComplex');
  if (code === 'unsupported_media') return t('composer.imageType');
  if (code === 'too_large') {
    return t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 });
  }
  return uploadErrorText(error, t) ?? t('composer.imageFailed');
}

/** Returns the text for an upload failure that does not depend on the kind of file; undefined for others. */
function uploadErrorText({ code }: ApiError, t: TFunction): string | undefined {
  if (code === 'rate_limited') return t('error.rateLimited');
  if (code === 'quota_media') return t('composer.quotaMedia');
  if (code === 'storage_full') return t('composer.storageFull');
  if (code === 'too_slow') return t('composer.tooSlow');
  return undefined;
}
