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
import { useMessageSearch } from '../../shared/search/use-message-search.ts';
import { useResultAnnouncement } from '../../shared/search/use-result-announcement.ts';
import dialogCss from '../../ui/ConfirmDialog.module.css';
import { classNames } from '../../ui/class-names.ts';
import { useCloseOnBack } from '../../ui/use-close-on-back.ts';
import css from './ChatSwitcher.module.css';
import { SwitcherOptions, type SwitcherOption } from './SwitcherOptions.tsx';
import { useSelectedOption } from './use-selected-option.ts';

/** Maximum number of chats that are shown. Others are found by their names. */
const SHOWN_MAX = 50;
/** Number of chats that are shown above messages. */
const SHOWN_ABOVE_MESSAGES = 8;

/** The dialog that finds and opens a chat by its name, or a message by its text. */
export function ChatSwitcher({ onClose }: { onClose: () => void }) {
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
  const announcement = useResultAnnouncement(found);

  const chatsMax = messages.hits.length > 0 ? SHOWN_ABOVE_MESSAGES : SHOWN_MAX;
  const options: readonly SwitcherOption[] = [
    ...chats.slice(0, chatsMax).map((chat) => ({ id: chat.id, chat })),
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
              placeholder={t('search.label')}
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
            <div ref={scroller} className={css.scroller}>
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
              {isActive && <MessagesStatus found={found} scroller={scroller} />}
            </div>
            <output className="visually-hidden">{announcement}</output>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
