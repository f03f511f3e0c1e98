import { UI } from '@parley/contract';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useIsWide } from '../screen/use-is-wide.ts';
import css from './TextBox.module.css';

interface TextBoxProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onValueChange: (value: string) => void;
  onSend: () => void;
  onEscape?: (() => void) | undefined;
  /** The arrow up in an empty box. */
  onUpWhenEmpty?: (() => void) | undefined;
  /** Files that were pasted. */
  onPasteFiles?: ((files: FileList) => void) | undefined;
  isInvalid?: boolean;
  /** Id of an element that says what holds for this box. */
  describedBy?: string | undefined;
  /** Nothing can be written for the moment. */
  isReadOnly?: boolean;
}

/**
 * Where a message is written: grows from 40 to 150 pixels. Enter sends on wide screens, Shift+Enter
 * gives a new line; on narrow ones, whose keyboards have no Shift at hand, Enter is a new line.
 */
export function TextBox(props: TextBoxProps) {
  const { ref, value, onValueChange, onSend, onEscape, onUpWhenEmpty, onPasteFiles } = props;
  const { t } = useTranslation();
  const enterSends = useIsWide();
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
    // A window that is resized and a phone that is turned break the lines elsewhere.
    const observer = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      fitHeight(box);
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [ref]);

  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // The Enter that ends an input method's composition belongs to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && enterSends && !event.shiftKey) {
      event.preventDefault();
      onSend();
    } else if (event.key === 'Escape' && onEscape) {
      event.preventDefault();
      onEscape();
    } else if (event.key === 'ArrowUp' && value === '' && onUpWhenEmpty) {
      event.preventDefault();
      onUpWhenEmpty();
    }
  };

  const handlePaste = (event: ClipboardEvent): void => {
    const { files, types } = event.clipboardData;
    if (files.length === 0 || !onPasteFiles) return;
    // Office programs put a picture of the text beside the text; who copies a picture gets no plain text.
    if (types.includes('text/plain') && types.includes('text/html')) return;
    event.preventDefault();
    onPasteFiles(files);
  };

  return (
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
      enterKeyHint={enterSends ? 'send' : 'enter'}
      onChange={(event) => onValueChange(event.target.value)}
      onKeyDown={handleKeyDown}
      onPaste={handlePaste}
    />
  );
}

function fitHeight(box: HTMLTextAreaElement): void {
  const bar = box.parentElement;
  // The bar keeps its height while the box is measured. Otherwise, the messages above grow for that
  // moment and the browser moves them away from their end.
  bar?.style.setProperty('min-height', `${bar.offsetHeight}px`);
  box.style.setProperty('height', '0');
  const height = Math.min(UI.composerMaxHeight, Math.max(UI.composerMinHeight, box.scrollHeight));
  box.style.setProperty('height', `${height}px`);
  bar?.style.removeProperty('min-height');
}
