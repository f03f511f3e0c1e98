import { ApiError } from '@parley/client';
import type { TFunction } from 'i18next';
import { withHelp } from '../../shared/screen/temporary-error-text.ts';

/** Returns the text for a failed user search. */
export function findUserErrorText(cause: unknown, t: TFunction): string {
  if (!(cause instanceof ApiError)) return t('findUser.serverError');
  if (cause.code === 'partner_blocked') return `${t('findUser.failed')} ${t('block.refused')}`;
  if (cause.status === 404) return t('findUser.notFound');
  // The server responds with 401 to a search for the user's own name.
  if (cause.status === 401) return t('findUser.self');
  return withHelp(t, t('findUser.failed'), cause);
}
