import { currentVersion, type LoadedChatroom } from '@parley/client';
import type { Message } from '@parley/contract';
import { useMemo, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLoadScreenTexts } from '../../../i18n/use-language.ts';
import { toastError, toastInfo } from '../../../ui/show-toast.ts';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { useHasKeyboard } from '../use-has-keyboard.ts';
import type { SelectionBar } from './SelectionBar.tsx';
import { useSelectionEscape } from './use-selection-escape.ts';

/** Maximum number of messages that are selected at once. */
const SELECTED_MAX = 100;

/** What the user has selected. */
interface Selected {
  Bar: typeof SelectionBar;
  /** The messages by their ids. */
  messages: ReadonlyMap<string, Message>;
  /** The messages without those that the last extension has added, which another extension replaces. */
  base: ReadonlyMap<string, Message>;
  /** The key of the row from which the selection is extended. */
  anchor: string;
}

/** The selection of messages in a chatroom. */
export interface MessageSelection {
  /** Whether the user selects messages. */
  isActive: boolean;
  /** The selected messages that still exist, oldest first. */
  messages: readonly Message[];
  /** Their ids. */
  ids: ReadonlySet<string>;
  /** The key of the row from which the selection is extended. */
  anchor: string | undefined;
  /** Selects the messages of a row, or takes them out if all of them are selected. Starts the selection if needed. */
  toggle: (key: string, messages: readonly Message[]) => void;
  /** Extends the selection from the anchor over the messages of rows, in the order of their distance. */
  extend: (rows: readonly (readonly Message[])[]) => void;
  /**
   * Ends the selection.
   * @param keepsFocus whether the caller moves the focus if it was in the bar, which disappears
   */
  end: (keepsFocus?: boolean) => void;
  /** The bar that takes the place of the composer. */
  Bar: typeof SelectionBar | undefined;
}

/**
 * Manages the selection of messages in a chatroom.
 * @param section contains the chatroom
 */
export function useMessageSelection(
  room: LoadedChatroom,
  section: RefObject<HTMLElement | null>,
): MessageSelection {
  const { t } = useTranslation();
  const loadScreenTexts = useLoadScreenTexts();
  const hasKeyboard = useHasKeyboard();
  const [selected, setSelected] = useState<Selected>();
  // Messages may be edited, deleted or no longer loaded since.
  const messages = useMemo(
    () =>
      [...(selected?.messages.values() ?? [])]
        .flatMap((message) => currentVersion(room, message) ?? [])
        .toSorted((a, b) => a.seq - b.seq),
    [selected, room],
  );
  const ids = useMemo(() => new Set(messages.map(({ _id }) => _id)), [messages]);

  const tellLimit = (): void => toastInfo(t('selection.limit', { count: SELECTED_MAX }));
  const start = (anchor: string, first: ReadonlyMap<string, Message>): void => {
    Promise.all([import('./SelectionBar.tsx'), loadScreenTexts('selection')]).then(
      ([{ SelectionBar: Bar }]) => setSelected({ Bar, messages: first, base: first, anchor }),
      () => toastError(t('app.screenFailed')),
    );
  };
  const end = (keepsFocus = false): void => {
    const anchor = selected?.anchor ?? '';
    flushSync(() => setSelected(undefined));
    if (keepsFocus || document.activeElement !== document.body) return;
    // On touch screens, the text box would open an on-screen keyboard.
    const target = hasKeyboard ? 'textarea' : `[data-key="${CSS.escape(anchor)}"] article`;
    section.current?.querySelector<HTMLElement>(target)?.focus({ preventScroll: true });
  };
  const isActive = selected !== undefined;
  useCloseOnBack(isActive, end, { isInline: true });
  useSelectionEscape(isActive, end);

  return {
    isActive,
    messages,
    ids,
    anchor: selected?.anchor,
    Bar: selected?.Bar,
    toggle: (anchor, toggled) => {
      const next = new Map(byId(messages));
      if (toggled.every(({ _id }) => ids.has(_id))) {
        for (const { _id } of toggled) next.delete(_id);
      } else for (const message of toggled) next.set(message._id, message);
      if (next.size > SELECTED_MAX) tellLimit();
      else if (selected) setSelected({ ...selected, messages: next, base: next, anchor });
      else start(anchor, next);
    },
    extend: (rows) => {
      if (!selected) return;
      const next = new Map(selected.base);
      for (const row of rows) {
        const added = row.filter(({ _id }) => !next.has(_id));
        if (next.size + added.length > SELECTED_MAX) {
          tellLimit();
          break;
        }
        for (const message of added) next.set(message._id, message);
      }
      setSelected({ ...selected, messages: next });
    },
    end,
  };
}

function byId(messages: readonly Message[]): [string, Message][] {
  return messages.map((message) => [message._id, message]);
}
