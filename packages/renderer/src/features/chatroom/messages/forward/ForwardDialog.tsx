import { Combobox } from '@base-ui/react/combobox';
import type { Chat } from '@parley/client';
import { isolate, type Message } from '@parley/contract';
import type { TFunction } from 'i18next';
import { Check, Search } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../../client/client-context.ts';
import { messagePlainText } from '../../../../format/message-plain-text.ts';
import { shorten } from '../../../../format/preview.ts';
import {
  findChatTargets,
  LISTED_TARGETS_MAX,
  nameOfTarget,
} from '../../../../shared/chat-targets/find-chat-targets.ts';
import field from '../../../../shared/chat-targets/target-search.module.css';
import { Avatar } from '../../../../ui/Avatar.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { useHasKeyboard } from '../../use-has-keyboard.ts';
import css from './ForwardDialog.module.css';
import { useForward } from './use-forward.ts';

interface ForwardDialogProps {
  /** In the order in which they are forwarded. */
  messages: readonly Message[];
  /** What is forwarded. By default the beginning of the first message. */
  text?: string;
  finalFocus: RefObject<HTMLElement | null>;
  /** Called before `onClose` when the messages were forwarded. */
  onForwarded?: () => void;
  onClose: () => void;
}

/** Maximum number of chats that messages are forwarded to at once, so that it does not serve to spam. */
const TARGETS_MAX = 5;

/** Maximum number of characters of the message that are shown. */
const EXCERPT_LENGTH = 80;

/** A dialog in which the user chooses the chats that messages are forwarded to. */
export function ForwardDialog(props: ForwardDialogProps) {
  const { messages, text, finalFocus, onForwarded, onClose } = props;
  const { t } = useTranslation();
  const forward = useForward();
  const listed = useClientState('chats', (state) => state.chats);
  // In the order when the dialog opened, so that the highlighted chat stays the same when a message arrives.
  const [places] = useState(() => new Map(listed.map(({ id }, index) => [id, index])));
  const placeOf = ({ id }: Chat): number => places.get(id) ?? places.size;
  const chats = listed.toSorted((a, b) => placeOf(a) - placeOf(b));
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const [search, setSearch] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // Elsewhere, the keyboard on the screen would cover the list.
  const hasKeyboard = useHasKeyboard();

  // A chat may be blocked or deleted while the dialog is open.
  const available = new Map(findChatTargets(chats, '').map((chat) => [chat.id, chat]));
  const chosen = chosenIds.flatMap((id) => available.get(id) ?? []);
  const isFull = chosen.length >= TARGETS_MAX;
  const found = findChatTargets(chats, search);

  const send = (): void => {
    if (chosen.length === 0) return;
    forward(messages, chosen);
    onForwarded?.();
    onClose();
  };

  return (
    <Dialog
      title={t('forward.title')}
      text={text ?? excerptOf(messages[0], t)}
      onClose={onClose}
      initialFocus={hasKeyboard ? input : cancel}
      finalFocus={finalFocus}
      isDismissible
      closeLabel={t('app.cancel')}
      closeRef={cancel}
      action={
        <Button isDisabled={chosen.length === 0} onClick={send}>
          {t('forward.send')}
        </Button>
      }
    >
      <TargetPicker
        input={input}
        search={search}
        onSearch={setSearch}
        found={found.slice(0, LISTED_TARGETS_MAX)}
        chosen={chosen}
        isFull={isFull}
        onChoose={(choice) => setChosenIds(choice.slice(0, TARGETS_MAX).map(({ id }) => id))}
        onSend={send}
      />
      {found.length > LISTED_TARGETS_MAX && <p className={css.note}>{t('forward.more')}</p>}
      <output className={css.note}>
        {chosen.length > 0 && (
          <bdi>{t('forward.chosen', { names: chosen.map(nameOfTarget).join(', ') })}</bdi>
        )}
        {isFull && ` ${t('forward.limit', { count: TARGETS_MAX })}`}
      </output>
    </Dialog>
  );
}

function excerptOf(message: Message | undefined, t: TFunction): string {
  return message ? isolate(shorten(messagePlainText(message, t), EXCERPT_LENGTH)) : '';
}

interface TargetPickerProps {
  input: RefObject<HTMLInputElement | null>;
  search: string;
  onSearch: (search: string) => void;
  found: Chat[];
  chosen: Chat[];
  isFull: boolean;
  onChoose: (chosen: readonly Chat[]) => void;
  onSend: () => void;
}

/** A combobox above its list, which is always open. Ctrl or Cmd with Enter sends. */
function TargetPicker(props: TargetPickerProps) {
  const { input, search, onSearch, found, chosen, isFull, onChoose, onSend } = props;
  const { t } = useTranslation();
  return (
    <Combobox.Root
      items={found}
      filteredItems={found}
      multiple
      inline
      open
      autoHighlight
      value={chosen}
      onValueChange={onChoose}
      inputValue={search}
      onInputValueChange={onSearch}
      isItemEqualToValue={(chat, other) => chat.id === other.id}
      itemToStringLabel={nameOfTarget}
    >
      <div className={classNames(field.box, css.search)}>
        <Search />
        <Combobox.Input
          ref={input}
          className={field.input}
          aria-label={t('forward.search')}
          placeholder={t('forward.search')}
          enterKeyHint="done"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventBaseUIHandler();
            event.preventDefault();
            onSend();
          }}
        />
      </div>
      <Combobox.List className={css.list} aria-label={t('forward.chats')}>
        {(chat: Chat) => (
          <Combobox.Item
            key={chat.id}
            value={chat}
            className={css.option}
            disabled={isFull && !chosen.some(({ id }) => id === chat.id)}
          >
            <Avatar name={nameOfTarget(chat)} size={32} />
            <bdi className={css.name}>{nameOfTarget(chat)}</bdi>
            <span className={css.box}>
              <Combobox.ItemIndicator className={css.indicator}>
                <Check />
              </Combobox.ItemIndicator>
            </span>
          </Combobox.Item>
        )}
      </Combobox.List>
      <Combobox.Empty className={css.none}>{t('forward.none')}</Combobox.Empty>
    </Combobox.Root>
  );
}
