import { UI } from '@parley/contract';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useIsWide } from '../screen/use-is-wide.ts';
import { isModified } from '../keyboard/key-press.ts';
import { SilentErrorBoundary } from './emoji/SilentErrorBoundary.tsx';
import { useEmojiQuery } from './emoji/use-emoji-query.ts';
import css from './TextBox.module.css';
import { hasPastedWords } from './pasted-words.ts';
import { useTypingAnywhere } from './use-typing-anywhere.ts';

const EmojiCompletion = lazy(() => import('./emoji/EmojiCompletion.tsx'));

interface TextBoxProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onValueChange: (value: string) => void;
  onSend: () => void;
  onEscape?: (() => void) | undefined;
  /** Called when the up arrow is pressed in an empty box. */
  onUpWhenEmpty?: (() => void) | undefined;
  /** Called with pasted files. */
  onPasteFiles?: ((files: FileList) => void) | undefined;
  isInvalid?: boolean;
  /** Id of an element that describes this box. */
  describedBy?: string | undefined;
  /** Whether the text cannot be changed at the moment. */
  isReadOnly?: boolean;
}

/**
 * The text box for a message, which grows from 40 to 150 pixels. On wide screens, Enter sends and Shift+Enter
 * inserts a line break. On narrow ones, Enter inserts a line break, as on-screen keyboards lack Shift+Enter. The name
 * of an emoji after a colon shows suggestions.
 */
export function TextBox(props: TextBoxProps) {
  const { ref, value, onValueChange, onSend, onEscape, onUpWhenEmpty, onPasteFiles } = props;
  const { t } = useTranslation();
  const shouldSendOnEnter = useIsWide();
  const { query, track, close } = useEmojiQuery(value);
  const measured = useRef('');

  useLayoutEffect(() => {
    const box = ref.current;
    if (!box || measured.current === value) return;
    measured.current = value;
    fitHeight(box);
  }, [ref, value]);

  useEffect(() => {
    const box = ref.current;
    if (!box) return undefined;
    let width = box.clientWidth;
    // A different width changes the line breaks.
    const observer = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      fitHeight(box);
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [ref]);

  // The user goes on with a draft where it ends. Before the focus, WebKit would take this for a request to focus.
  const wasFocused = useRef(false);
  const handleFocus = ({ currentTarget: box }: FocusEvent<HTMLTextAreaElement>): void => {
    if (!wasFocused.current) box.setSelectionRange(box.value.length, box.value.length);
    wasFocused.current = true;
  };

  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && shouldSendOnEnter && !event.shiftKey) {
      event.preventDefault();
      // A key held since another field or button had the focus sends nothing.
      if (!event.repeat) onSend();
    } else if (event.key === 'Escape' && onEscape) {
      event.preventDefault();
      onEscape();
    } else if (event.key === 'ArrowUp' && !isModified(event) && value === '' && onUpWhenEmpty) {
      event.preventDefault();
      onUpWhenEmpty();
    }
  };

  /** Returns whether there are files to paste instead of a text. */
  const pasteFiles = (clipboard: DataTransfer): boolean => {
    const { files } = clipboard;
    if (files.length === 0 || !onPasteFiles || hasPastedWords(clipboard)) return false;
    onPasteFiles(files);
    return true;
  };
  const handlePaste = (event: ClipboardEvent): void => {
    if (pasteFiles(event.clipboardData)) event.preventDefault();
  };
  useTypingAnywhere(ref, pasteFiles);

  return (
    <>
      <textarea
        ref={ref}
        className={css.box}
        rows={1}
        value={value}
        aria-label={t('composer.label')}
        aria-invalid={props.isInvalid || undefined}
        aria-describedby={props.describedBy}
        readOnly={props.isReadOnly}
        placeholder={t('composer.placeholder')}
        dir="auto"
        enterKeyHint={shouldSendOnEnter ? 'send' : 'enter'}
        onChange={({ currentTarget: box }) => {
          onValueChange(box.value);
          track(box);
        }}
        onFocus={handleFocus}
        onKeyDown={handleKeyDown}
        onPaste={handlePaste}
      />
      {query && !props.isReadOnly && (
        <SilentErrorBoundary>
          <Suspense>
            <EmojiCompletion box={ref} query={query} onClose={close} />
          </Suspense>
        </SilentErrorBoundary>
      )}
    </>
  );
}

function fitHeight(box: HTMLTextAreaElement): void {
  const bar = box.parentElement;
  // Keeps the bar's height during the measurement. Otherwise, the messages above would grow briefly and be
  // scrolled away from their bottom.
  bar?.style.setProperty('min-height', `${bar.offsetHeight}px`);
  box.style.setProperty('height', '0');
  const height = Math.min(UI.composerMaxHeight, Math.max(UI.composerMinHeight, box.scrollHeight));
  box.style.setProperty('height', `${height}px`);
  bar?.style.removeProperty('min-height');
}
