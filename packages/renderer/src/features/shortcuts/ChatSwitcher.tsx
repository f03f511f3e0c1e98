import { Dialog as Base } from '@base-ui/react/dialog';
import { LIMITS } from '@parley/contract';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useClientState } from '../../client/client-context.ts';
import { chatPath, messagePath } from '../../navigation/paths.ts';
import { useOpenChatroomId } from '../../navigation/use-open-chatroom-id.ts';
import { FilterChips } from '../../shared/search/FilterChips.tsx';
import { findInitial } from '../../shared/search/find-chats.ts';
import { MessagesStatus, OfflineNote } from '../../shared/search/MessagesStatus.tsx';
import { hasFilters } from '../../shared/search/search-filters.ts';
import { useMessageSearch } from '../../shared/search/use-message-search.ts';
import { useResultAnnouncement } from '../../shared/search/use-result-announcement.ts';
import dialogCss from '../../ui/ConfirmDialog.module.css';
import { classNames } from '../../ui/class-names.ts';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';
import css from './ChatSwitcher.module.css';
import type { ShortcutDialogProps } from './shortcut-dialogs.ts';
import { findActions } from './switcher-action.ts';
import { SwitcherOptions, type SwitcherOption } from './SwitcherOptions.tsx';
import { useSelectedOption } from './use-selected-option.ts';
import { useSwitcherActions } from './use-switcher-actions.ts';

/** Maximum number of chats that are shown. Others are found by their names. */
const SHOWN_MAX = 50;
/** Number of chats and of actions that are shown above messages. */
const SHOWN_ABOVE_MESSAGES = 8;

/** The dialog that finds a chat or an action by its name, or a message by its text, and opens or does it. */
export function ChatSwitcher({ onClose, ...commands }: ShortcutDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const listId = useId();
  useCloseOnBack(true, onClose);
  const input = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const hasChosen = useRef(false);
  const listed = useClientState('chats', (state) => state.chats);
  const active = useOpenChatroomId();
  const found = useMessageSearch();
  const { text, setText, isActive, chats, messages, search } = found;
  const allActions = useSwitcherActions(commands);
  // Filters are for messages.
  const actions = hasFilters(found.filters) ? [] : findActions(allActions, text);
  const announcement = useResultAnnouncement(found, actions.length > 0);

  const chatsMax = messages.hits.length > 0 ? SHOWN_ABOVE_MESSAGES : SHOWN_MAX;
  const options: readonly SwitcherOption[] = [
    ...chats.slice(0, chatsMax).map((chat) => ({ id: chat.id, chat })),
    ...actions
      .slice(0, isActive ? SHOWN_ABOVE_MESSAGES : undefined)
      .map((action) => ({ id: action.id, action })),
    ...messages.hits.map((hit) => ({ id: hit.message._id, hit })),
  ];
  const initialId = (value: string) => findInitial(listed, value, active)?.id;
  const { current, select, selectByKey } = useSelectedOption(
    options,
    () => initialId(''),
    messages.hasMore,
  );
  const optionId = (id: string): string => `${listId}-${id}`;
  const currentId = current && optionId(current.id);

  useEffect(() => {
    if (currentId === undefined) return;
    document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  function choose(option: SwitcherOption): void {
    if ('action' in option) {
      hasChosen.current = option.action.movesFocus;
      onClose();
      option.action.run();
      return;
    }
    const isMessage = 'hit' in option;
    const id = isMessage ? option.hit.message.chatroom : option.id;
    // Another chat focuses its heading, and a message is focused. In the open chat, the focus returns.
    hasChosen.current = isMessage || id !== active;
    onClose();
    void navigate(isMessage ? messagePath(id, option.hit.message.seq) : chatPath(id));
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      search.searchNow();
      if (current) choose(current);
      return;
    }
    if (selectByKey(event.key)) event.preventDefault();
  }

  // The keyboard can scroll it, too, as browsers themselves allow.
  const scrollerProps = { tabIndex: 0, role: 'group', 'aria-label': t('search.results') };
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={dialogCss.backdrop} />
        <Base.Viewport className={classNames(dialogCss.viewport, css.viewport)}>
          <Base.Popup
            className={classNames(dialogCss.popup, css.popup)}
            initialFocus={input}
            finalFocus={() => !hasChosen.current}
          >
            <Base.Title className="visually-hidden">{t('switcher.title')}</Base.Title>
            <input
              ref={input}
              className={css.input}
              type="text"
              role="combobox"
              aria-expanded={options.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={currentId}
              aria-label={t('switcher.title')}
              placeholder={t('switcher.placeholder')}
              maxLength={LIMITS.searchQueryMax}
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="go"
              value={text}
              onChange={({ target: { value } }) => {
                setText(value);
                select(initialId(value));
              }}
              onKeyDown={handleKeyDown}
            />
            {isActive && <FilterChips filters={found.filters} onChange={found.setFilters} />}
            <div ref={scroller} className={css.scroller} {...scrollerProps}>
              {messages.isOffline && <OfflineNote />}
              <SwitcherOptions
                listId={listId}
                options={options}
                selectedId={current?.id}
                conditions={messages.conditions}
                optionId={optionId}
                onSelect={select}
                onChoose={choose}
              />
              {isActive && (
                <MessagesStatus found={found} hasOthers={actions.length > 0} scroller={scroller} />
              )}
            </div>
            <output className="visually-hidden">
              {isActive && actions.length > 0 && t('actions.found', { count: actions.length })}{' '}
              {announcement}
            </output>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
