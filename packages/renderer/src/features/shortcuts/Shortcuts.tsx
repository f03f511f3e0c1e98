import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSettings } from '../../app/app-context.ts';
import { useClient } from '../../client/client-context.ts';
import { useLoadScreenTexts, type LoadScreenTexts } from '../../i18n/use-language.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { chatPath, PATHS } from '../../navigation/paths.ts';
import { useOpenChatroomId } from '../../navigation/use-open-chatroom-id.ts';
import {
  hasOverlay,
  isAppleSystem,
  isTextField,
  trackOverlay,
} from '../../shared/keyboard/key-context.ts';
import { useIsWide } from '../../shared/screen/use-is-wide.ts';
import { findNeighbor } from './find-neighbor.ts';
import { loadShortcutsDialog, loadSwitcher, type ShortcutDialogProps } from './shortcut-dialogs.ts';
import { shortcutOf } from './shortcut-of.ts';

type OpenDialog = ComponentType<ShortcutDialogProps>;

/** Handles the shortcuts of the signed-in screens, and shows the dialogs that they open. */
export function Shortcuts({ onSignOut }: Pick<ShortcutDialogProps, 'onSignOut'>) {
  const client = useClient();
  const navigate = useNavigate();
  const loadTexts = useLoadScreenTexts();
  const isWide = useIsWide();
  const active = useOpenChatroomId();
  const hasLetterShortcuts = useSettings((state) => state.hasLetterShortcuts);
  const [dialog, setDialog] = useState<{ Dialog: OpenDialog }>();

  /** @param isReplacing whether it replaces the open one */
  async function open(
    load: (loadTexts: LoadScreenTexts) => Promise<OpenDialog>,
    isReplacing = false,
  ): Promise<void> {
    try {
      const Dialog = await load(loadTexts);
      // Another one may have been opened in the meantime.
      if (isReplacing || !hasOverlay()) setDialog({ Dialog });
    } catch (error) {
      logFailure('loading a dialog', error);
    }
  }

  const handleKeyDown = useEffectEvent((event: KeyboardEvent, hadOverlay: boolean): void => {
    const isTyping = isTextField(document.activeElement);
    const shortcut = shortcutOf(event, { isApple: isAppleSystem(), isTyping });
    if (hadOverlay) {
      // Browsers would focus their search field, outside the dialog.
      if (shortcut === 'switch' || shortcut === 'shortcuts') event.preventDefault();
      return;
    }
    if (shortcut === undefined || shortcut === 'close' || shortcut === 'help') return;
    event.preventDefault();
    event.stopPropagation();
    if (shortcut === 'switch') return void open(loadSwitcher);
    if (shortcut === 'shortcuts') return void open(loadShortcutsDialog);
    const { chats } = client.chats.getState();
    const chat = findNeighbor(chats, active, shortcut === 'next' ? 1 : -1);
    if (chat) void navigate(chatPath(chat.id));
  });

  // Escape and `?` may have other uses on a screen, which are known only once the event has bubbled. A text box that
  // takes the character has the focus by then.
  const handleUnusedKey = useEffectEvent((event: KeyboardEvent, hadOverlay: boolean): void => {
    if (hadOverlay || event.defaultPrevented) return;
    const isTyping = isTextField(document.activeElement);
    const shortcut = shortcutOf(event, { isApple: false, isTyping });
    if (shortcut === 'close' && !isWide && active !== undefined) void navigate(PATHS.chats);
    if (shortcut !== 'help' || !hasLetterShortcuts) return;
    event.preventDefault();
    void open(loadShortcutsDialog);
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hadOverlay = trackOverlay(signal);
    window.addEventListener('keydown', (event) => handleKeyDown(event, hadOverlay()), {
      signal,
      // Before the handlers of lists and text boxes, for which these keys have another meaning.
      capture: true,
    });
    window.addEventListener('keydown', (event) => handleUnusedKey(event, hadOverlay()), { signal });
    return () => listening.abort();
  }, []);

  return (
    dialog && (
      <dialog.Dialog
        onClose={() => setDialog(undefined)}
        onShowShortcuts={() => void open(loadShortcutsDialog, true)}
        onSignOut={onSignOut}
      />
    )
  );
}
