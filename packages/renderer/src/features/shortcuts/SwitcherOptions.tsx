import type { ListedChat } from '@parley/client';
import type { SearchConditions, SearchHit } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { useToday } from '../../format/use-clock.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { FoundChat } from '../../shared/search/FoundChat.tsx';
import { FoundMessage } from '../../shared/search/FoundMessage.tsx';
import css from './ChatSwitcher.module.css';

/** A chat or a message to choose. */
export type SwitcherOption =
  | { readonly id: string; readonly chat: ListedChat }
  | { readonly id: string; readonly hit: SearchHit };

interface SwitcherOptionsProps {
  listId: string;
  options: readonly SwitcherOption[];
  selectedId: string | undefined;
  /** What the messages were searched for. */
  conditions: SearchConditions;
  optionId: (id: string) => string;
  onSelect: (id: string) => void;
  onChoose: (option: SwitcherOption) => void;
}

/** The chats and messages to choose from. */
export function SwitcherOptions(props: SwitcherOptionsProps) {
  const { listId, options, selectedId, conditions, optionId, onSelect, onChoose } = props;
  const { t } = useTranslation();
  const listed = useClientState('chats', (state) => state.chats);
  const language = useLanguage();
  const today = useToday();
  const messagesId = `${listId}-messages`;
  const chats = options.filter((option) => 'chat' in option);
  const hits = options.filter((option) => 'hit' in option);
  // No native element is a list of options with pictures that a text field controls.
  const listProps = { id: listId, role: 'listbox', 'aria-label': t('search.results') };
  const groupProps = { role: 'group', 'aria-labelledby': messagesId };
  // The keyboard selects options through the text field.
  const optionProps = (option: SwitcherOption) =>
    ({
      id: optionId(option.id),
      role: 'option',
      'aria-selected': option.id === selectedId,
      tabIndex: -1,
      type: 'button',
      className: css.option,
      onPointerMove: () => onSelect(option.id),
      onClick: () => onChoose(option),
    }) as const;
  return (
    <div {...listProps}>
      {chats.map((option) => (
        <button key={option.id} {...optionProps(option)}>
          <FoundChat chat={option.chat} size={32} />
        </button>
      ))}
      {hits.length > 0 && (
        <div {...groupProps}>
          <div id={messagesId} role="presentation" className={css.heading}>
            {t('search.messages')}
          </div>
          {hits.map((option) => (
            <button key={option.id} {...optionProps(option)}>
              <FoundMessage
                hit={option.hit}
                conditions={conditions}
                chat={listed.find(({ id }) => id === option.hit.message.chatroom)}
                language={language}
                today={today}
                size={32}
              />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
