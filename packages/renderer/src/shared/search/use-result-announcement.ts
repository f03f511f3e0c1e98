import { isBlank } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import type { MessageSearch } from './use-message-search.ts';

/**
 * Returns what screen readers say about the results once they are there. Empty until then.
 * @param hasOthers whether there are results besides chats and messages
 */
export function useResultAnnouncement(
  { chats, messages, text }: MessageSearch,
  hasOthers = false,
): string {
  const { t } = useTranslation();
  const { status, hits, hasMore } = messages;
  if (status !== 'results') return '';
  const foundChats =
    !isBlank(text) && chats.length > 0 ? t('search.foundChats', { count: chats.length }) : '';
  if (hits.length === 0)
    return foundChats === '' && !hasMore && !hasOthers ? t('search.none') : foundChats;
  const key = hasMore ? 'search.foundMore' : 'search.foundMessages';
  return `${foundChats} ${t(key, { count: hits.length })}`.trim();
}
