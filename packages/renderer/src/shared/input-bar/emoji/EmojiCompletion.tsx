import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useState,
  type MouseEvent,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../app/app-context.ts';
import { addRecentEmoji } from '../../../app/recent-emoji.ts';
import { CIRCASSIA } from '../../../format/custom-emoji.ts';
import { CustomEmojiImage, StyledEmoji } from '../../../format/EmojiText.tsx';
import { useLanguage } from '../../../i18n/use-language.ts';
import { isModified } from '../../keyboard/key-press.ts';
import { insertText } from '../insert-text.ts';
import css from './EmojiCompletion.module.css';
import type { EmojiQuery } from './find-emoji-query.ts';
import { displayedName, searchEmoji, type FoundEmoji } from './search-emoji.ts';
import { useEmojiNames } from './use-emoji-names.ts';

/** Maximum number of suggestions. More letters find others. */
const SHOWN_MAX = 8;
/** Space above the input bar and at the top of the window, in pixels. */
const MARGIN = 8;
/** Maximum width in pixels. */
const WIDTH_MAX = 360;

const CUSTOM_ID = 'circassia';

interface EmojiCompletionProps {
  box: RefObject<HTMLTextAreaElement | null>;
  query: EmojiQuery;
  onClose: () => void;
}

/**
 * Suggests emoji for the name that is being written, above the input bar. The focus stays in the text box, whose keys
 * choose only what the arrow keys have selected before, so that nothing that is typed is replaced by surprise.
 */
export default function EmojiCompletion({ box, query, onClose }: EmojiCompletionProps) {
  const { t } = useTranslation();
  const found = useFoundEmoji(query.name);
  const listId = useId();
  // Other letters find other emoji, none of which is selected.
  const [selection, setSelection] = useState<{ name: string; index: number }>();
  const selected = selection?.name === query.name ? selection.index : -1;
  const optionId = (index: number): string => `${listId}-${index}`;
  const isOpen = found.length > 0;

  const choose = (emoji: FoundEmoji): void => {
    const { current: field } = box;
    if (!field) return;
    const isCustom = emoji.code === CUSTOM_ID;
    addRecentEmoji(emoji.code, emoji.neutralCode);
    field.setSelectionRange(query.start, query.start + 1 + query.name.length);
    insertText(field, isCustom ? CIRCASSIA.shortcode : toEmoji(emoji.code));
  };

  /** Returns whether a key is used, so that it has no other effect. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const { key } = event;
    if (isModified(event)) return false;
    if (key === 'Escape') {
      onClose();
      return true;
    }
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const first = key === 'ArrowDown' ? 0 : found.length - 1;
      const step = key === 'ArrowDown' ? 1 : -1;
      const index = selected < 0 ? first : (selected + step + found.length) % found.length;
      setSelection({ name: query.name, index });
      return true;
    }
    const emoji = found[selected];
    if (!emoji || (key !== 'Enter' && key !== 'Tab')) return false;
    choose(emoji);
    return true;
  };
  useBoxKeys(box, isOpen, handleKey);
  useCloseElsewhere(box, query, onClose);
  useBoxAttributes(box, isOpen ? listId : undefined, selected < 0 ? undefined : optionId(selected));
  const placeList = useCallback(
    (list: HTMLElement | null) => {
      const bar = box.current?.parentElement;
      return list && bar ? keepAbove(bar, list) : undefined;
    },
    [box],
  );

  if (!isOpen) return null;
  // No native element is a list of options that a text box controls.
  const listProps = {
    id: listId,
    role: 'listbox',
    'aria-label': t('emoji.completion'),
    // Keeps the focus and the selection of the text box.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
  };
  const optionProps = (emoji: FoundEmoji, index: number) =>
    ({
      id: optionId(index),
      type: 'button',
      role: 'option',
      'aria-selected': index === selected,
      tabIndex: -1,
      onClick: () => choose(emoji),
    }) as const;
  return createPortal(
    <>
      <div {...listProps} ref={placeList} className={css.list}>
        {found.map((emoji, index) => (
          <button key={emoji.code} {...optionProps(emoji, index)} className={css.option}>
            <span className={css.emoji} aria-hidden="true">
              {emoji.code === CUSTOM_ID ? (
                <CustomEmojiImage />
              ) : (
                <StyledEmoji text={toEmoji(emoji.code)} />
              )}
            </span>
            <span className={css.name}>{emoji.name}</span>
          </button>
        ))}
      </div>
      <output className="visually-hidden">{t('emoji.completions', { count: found.length })}</output>
    </>,
    document.body,
  );
}

/** Returns the best emoji for the beginning of a name, once the names are loaded. */
function useFoundEmoji(name: string): readonly FoundEmoji[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const { isReady, names } = useEmojiNames(language);
  const tone = useSettings((state) => state.skinTone);
  const flag = t(CIRCASSIA.nameKey);
  return useMemo(() => {
    if (!isReady) return [];
    const custom = { id: CUSTOM_ID, names: [flag, CUSTOM_ID] };
    const found = searchEmoji(name.replaceAll('_', ' '), { names, tone, custom });
    return found.slice(0, SHOWN_MAX).map((emoji) => ({
      code: emoji.code,
      neutralCode: emoji.neutralCode,
      name: displayedName(emoji, names),
    }));
  }, [name, isReady, names, tone, flag]);
}

/** Lets a function use the keys of the text box before the text box does. */
function useBoxKeys(
  box: RefObject<HTMLTextAreaElement | null>,
  isOpen: boolean,
  onKey: (event: KeyboardEvent) => boolean,
): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const { current: field } = box;
    if (!field || !isOpen) return undefined;
    const listening = new AbortController();
    field.addEventListener('keydown', (event) => handleKeyDown(event), {
      signal: listening.signal,
    });
    return () => listening.abort();
  }, [box, isOpen]);
}

/** Closes the suggestions once the cursor or the focus is elsewhere. */
function useCloseElsewhere(
  box: RefObject<HTMLTextAreaElement | null>,
  { start, name }: EmojiQuery,
  onClose: () => void,
): void {
  const end = start + 1 + name.length;
  const handleMove = useEffectEvent(() => {
    const { current: field } = box;
    // An input moves the cursor before it is known.
    if (!field || field.value.slice(start, end) !== `:${name}`) return;
    const isAtEnd = field.selectionStart === end && field.selectionEnd === end;
    if (!isAtEnd || document.activeElement !== field) onClose();
  });
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('selectionchange', () => handleMove(), { signal });
    box.current?.addEventListener('blur', () => close(), { signal });
    return () => listening.abort();
  }, [box]);
}

/** Tells assistive technology which list belongs to the text box, and which option is selected. */
function useBoxAttributes(
  box: RefObject<HTMLTextAreaElement | null>,
  listId: string | undefined,
  activeId: string | undefined,
): void {
  useEffect(() => {
    const { current: field } = box;
    if (!field || listId === undefined) return undefined;
    const attributes = {
      'aria-autocomplete': 'list',
      'aria-controls': listId,
      'aria-haspopup': 'listbox',
      ...(activeId !== undefined && { 'aria-activedescendant': activeId }),
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name);
    };
  }, [box, listId, activeId]);
}

/** Keeps a list directly above the input bar, which clips what is inside of it. Returns a function that stops it. */
function keepAbove(bar: HTMLElement, list: HTMLElement): () => void {
  const place = (): void => {
    const { left, top, width } = bar.getBoundingClientRect();
    list.style.setProperty('left', `${left}px`);
    list.style.setProperty('width', `${Math.min(width, WIDTH_MAX)}px`);
    list.style.setProperty('bottom', `${window.innerHeight - top + MARGIN}px`);
    list.style.setProperty('max-height', `${Math.max(0, top - 2 * MARGIN)}px`);
  };
  place();
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  observer.observe(document.documentElement);
  return () => observer.disconnect();
}

/** Returns the emoji with a code, such as `1f44d-1f3fb`. */
function toEmoji(code: string): string {
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
}
