import type { ListedChat } from '@parley/client';
import type { SearchConditions, SearchHit } from '@parley/contract';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { useToday } from '../../format/use-clock.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { FoundChat } from '../../shared/search/FoundChat.tsx';
import { FoundMessage } from '../../shared/search/FoundMessage.tsx';
import css from './ChatSwitcher.module.css';
import type { SwitcherAction } from './switcher-action.ts';

/** A chat, an action or a message to choose. */
export type SwitcherOption =
  | { readonly id: string; readonly chat: ListedChat }
  | { readonly id: string; readonly action: SwitcherAction }
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

/** The chats, actions and messages to choose from. */
export function SwitcherOptions(props: SwitcherOptionsProps) {
  const { listId, options, selectedId, conditions, optionId, onSelect, onChoose } = props;
  const { t } = useTranslation();
  const listed = useClientState('chats', (state) => state.chats);
  const language = useLanguage();
  const today = useToday();
  const actionsId = `${listId}-actions`;
  const messagesId = `${listId}-messages`;
  const chats = options.filter((option) => 'chat' in option);
  const actions = options.filter((option) => 'action' in option);
  const hits = options.filter((option) => 'hit' in option);
  // No native element is a list of options with pictures that a text field controls.
  const listProps = { id: listId, role: 'listbox', 'aria-label': t('search.results') };
  const groupProps = (headingId: string) => ({ role: 'group', 'aria-labelledby': headingId });
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
      {actions.length > 0 && (
        <div {...groupProps(actionsId)}>
          <div id={actionsId} role="presentation" className={css.heading}>
            {t('actions.title')}
          </div>
          {actions.map((option) => (
            <button key={option.id} {...optionProps(option)}>
              <ActionContent action={option.action} />
            </button>
          ))}
        </div>
      )}
      {hits.length > 0 && (
        <div {...groupProps(messagesId)}>
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

/** The icon and the name of an action, and whether it is the current setting. */
function ActionContent({ action: { icon: Icon, name, isCurrent } }: { action: SwitcherAction }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={css.icon}>
        <Icon />
      </span>
      <span className={css.action}>{name}</span>
      {isCurrent && (
        <span className={css.current}>
          <Check />
          <span className="visually-hidden">{t('actions.current')}</span>
        </span>
      )}
    </>
  );
}
