import type { ApiError, ChangeTypeName } from '@parley/client';
import { LIMITS } from '@parley/contract';
import type { TFunction } from 'i18next';

/**
 * Returns the text for changes that failed.
 * @param count how many there are
 */
export function changeErrorText(
  t: TFunction,
  { code }: ApiError,
  type: ChangeTypeName,
  count: number,
): string {
  if (type === 'read') return t('error.server');
  if (code === 'pin_limit') return t('chatMenu.pinLimit', { count: LIMITS.pinnedChatsMax });
  if (code === 'already_accepted') return t('request.alreadyAccepted');
  if (type === 'status') return t('request.failed');
  if (type === 'deletion') return t('message.deleteFailed', { count });
  if (type !== 'edit') return t('reaction.failed');
  return code === 'message_not_found'
    ? t('composer.editedMessageDeleted')
    : t('composer.editFailed');
}
