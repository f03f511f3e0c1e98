import type { Chat } from '@parley/client';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import {
  findChatTargets,
  LISTED_TARGETS_MAX,
  nameOfTarget,
} from '../../shared/chat-targets/find-chat-targets.ts';
import field from '../../shared/chat-targets/target-search.module.css';
import { Avatar } from '../../ui/Avatar.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './ChatChoice.module.css';

/** The chats that can be chosen, with a search. */
export function ChatChoice({ onChoose }: { onChoose: (chat: Chat) => void }) {
  const { t } = useTranslation();
  const listed = useClientState('chats', (state) => state.chats);
  const isReady = useClientState('chats', ({ status }) => status === 'ready');
  const [search, setSearch] = useState('');
  const available = findChatTargets(listed, '');
  const found = findChatTargets(listed, search);

  if (available.length === 0) {
    return isReady ? (
      <div className={css.none}>
        <p>{t('share.noChats')}</p>
        <LinkButton to={PATHS.findUser}>{t('findUser.open')}</LinkButton>
      </div>
    ) : null;
  }
  return (
    <section className={css.choice} aria-label={t('forward.chats')}>
      <p className={css.lead}>{t('share.lead')}</p>
      <div className={field.box}>
        <Search />
        <input
          className={field.input}
          type="search"
          aria-label={t('forward.search')}
          placeholder={t('forward.search')}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <ul className={css.list}>
        {found.slice(0, LISTED_TARGETS_MAX).map((chat) => (
          <li key={chat.id}>
            <button
              type="button"
              className={css.option}
              data-share-target={chat.id}
              onClick={() => onChoose(chat)}
            >
              <Avatar name={nameOfTarget(chat)} size={40} />
              <bdi className={css.name}>{nameOfTarget(chat)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <output className={css.note}>
        {found.length === 0 && t('forward.none')}
        {found.length > LISTED_TARGETS_MAX && t('forward.more')}
      </output>
    </section>
  );
}
