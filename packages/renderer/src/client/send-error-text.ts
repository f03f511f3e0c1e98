import type { ApiError, MediaFile, MediaKind, OutboxEntry } from '@parley/client';
import { LIMITS } from '@parley/contract';
import type { TFunction } from 'i18next';
import type { FailureText } from '../failures/use-failure-text.ts';

/**
 * Resolves to the text for an outbox entry that failed; undefined if its row in the message list shows the failure and
 * the cause is not known.
 */
export async function sendErrorText(
  { to, file, source, failReason }: OutboxEntry,
  error: ApiError,
  t: TFunction,
  failureText: FailureText,
): Promise<string | undefined> {
  if (error.code === 'quota_messages') return t('composer.quotaMessages');
  if (to.partnerName !== undefined) {
    if (error.code === 'partner_blocked') return t('block.refused');
    if (error.code === 'not_accepting_messages') {
      return t('findUser.closed', { name: to.partnerName });
    }
    return error.status === 404
      ? t('newChatroom.notFound')
      : failureText.withHelp(t('newChatroom.failed'), error);
  }
  if (error.code === 'partner_deleted') return t('room.partnerDeleted');
  if (file) return FILE_ERROR_TEXTS[file.kind](error, t, failureText, file);
  if (failReason) return t('forward.originalDeleted');
  return (source && uploadErrorText(error, t)) ?? failureText.explain(error);
}

/** The texts for upload failures by the kind of the file. */
const FILE_ERROR_TEXTS: Readonly<Record<MediaKind, typeof imageErrorText>> = {
  image: imageErrorText,
  audio: async (error, t, { withHelp }) =>
    uploadErrorText(error, t) ?? withHelp(t('recorder.uploadFailed'), error),
};

async function imageErrorText(
  error: ApiError,
  t: TFunction,
  { explain }: FailureText,
  { name, blob }: MediaFile,
): Promise<string> {
  const { code } = error;
  if ((code === 'media_too_complex' || code === 'too_large') && (await canShrink(blob))) {
    return t('smallerCopy.offer', { name });
  }
  if (code === 'media_too_complex') return t('composer.imageTooComplex');
  if (code === 'unsupported_media') return t('composer.imageType');
  if (code === 'too_large') {
    return t('composer.imageTooLarge', { size: LIMITS.imageBytesMax / 1024 / 1024 });
  }
  return uploadErrorText(error, t) ?? (await explain(error)) ?? t('composer.imageFailed');
}

/** Resolves to whether the composer offers a smaller copy of an image. */
async function canShrink(blob: Blob): Promise<boolean> {
  // The chatroom has loaded it.
  const judge = await import('./judge-image.ts').catch(() => undefined);
  return (await judge?.isShrinkable(blob)) === true;
}

/** Returns the text for an upload failure that does not depend on the kind of file; undefined for others. */
function uploadErrorText({ code }: ApiError, t: TFunction): string | undefined {
  if (code === 'rate_limited') return t('error.rateLimited');
  if (code === 'quota_media') return t('composer.quotaMedia');
  if (code === 'storage_full') return t('composer.storageFull');
  if (code === 'too_slow') return t('composer.tooSlow');
  return undefined;
}
