import { findDecision } from '@parley/client';
import type { BlockedList } from '@parley/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { useClientState } from '../../client/client-context.ts';
import { BlockedListItem } from './BlockedListItem.tsx';
import css from './PeopleList.module.css';
import { RemoteContent } from '../../shared/screen/RemoteContent.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { useReloadWithChats } from './use-reload-with-chats.ts';
import { useRemote } from '../../shared/screen/use-remote.ts';

/** The people whom the user has blocked. They can be unblocked, and their chats can be read. */
export function BlockedSection() {
  const { t } = useTranslation();
  const api = useApi();
  const heading = useRef<HTMLHeadingElement>(null);
  const remote = useRemote<BlockedList>(() => api.call('listBlocked'));
  useReloadWithChats(remote.reload);

  // What the user has just unblocked may not have reached the server, or the list from there.
  const listed = useClientState('chats', ({ chats }) => chats);
  const changes = useClientState('outbox', (state) => state.changes);
  const isUnblocked = ({ chatId }: { chatId: string }): boolean =>
    findDecision(changes, chatId) === 'unblock' || listed.some(({ id }) => id === chatId);

  return (
    <SettingsSection
      title={t('settings.blocked')}
      help={t('settings.blockedHelp')}
      headingRef={heading}
    >
      <RemoteContent
        remote={remote}
        loadingText={t('settings.blockedLoading')}
        failedText={t('settings.blockedFailed')}
      >
        {({ blocked }) =>
          blocked.every(isUnblocked) ? (
            <p className={css.empty}>{t('settings.blockedEmpty')}</p>
          ) : (
            <ul>
              {blocked.map(
                (person) =>
                  !isUnblocked(person) && (
                    <BlockedListItem
                      key={person.chatId}
                      person={person}
                      // The focused button disappears.
                      onUnblocked={() => heading.current?.focus()}
                    />
                  ),
              )}
            </ul>
          )
        }
      </RemoteContent>
    </SettingsSection>
  );
}
