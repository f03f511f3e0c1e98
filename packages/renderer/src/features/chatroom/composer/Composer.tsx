import { isPartnerDeleted, type Room } from '@parley/client';
import { cleanText, isSendable, type Message } from '@parley/contract';
import { Check, SendHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import css from '../../../shared/input-bar/InputBar.module.css';
import { EmojiButton } from '../../../shared/input-bar/emoji/EmojiButton.tsx';
import { InputFrame } from '../../../shared/input-bar/InputFrame.tsx';
import { TextBox } from '../../../shared/input-bar/TextBox.tsx';
import { excessLength } from '../../../shared/input-bar/excess-length.ts';
import { LengthWarning } from '../../../shared/input-bar/LengthWarning.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import { ImageButton } from '../image/ImageButton.tsx';
import { ImageDrafts } from '../image/ImageDrafts.tsx';
import type { ImageUpload } from '../image/use-image-upload.ts';
import { useHasKeyboard } from '../use-has-keyboard.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';
import { QueuedRecordings } from '../recorder/QueuedRecordings.tsx';
import { RecordButton } from '../recorder/RecordButton.tsx';
import { Recorder } from '../recorder/Recorder.tsx';
import note from './DeletedNote.module.css';
import { EditNote } from './EditNote.tsx';
import { useStopEditingDeleted } from './use-stop-editing-deleted.ts';
import { useEditHighlight } from './use-edit-highlight.ts';

/** The composer: writes, edits and records messages. */
export function Composer({ room, image }: { room: Room; image: ImageUpload }) {
  const { t } = useTranslation();
  const client = useClient();
  const box = useRef<HTMLTextAreaElement>(null);
  const { editing, value, setValue } = useComposerText(room.id);
  const { save, stopEditing } = useSaveEdit(editing, box);
  const [isRecording, setIsRecording] = useState(false);
  const recordings = useUnsentFiles('audio', room.id);
  const recorded = recordings.find(({ state }) => state === 'draft');
  const hasRecorder = isRecording || recorded !== undefined;
  useStopEditingDeleted(room);
  // Images are hidden while a message is edited. While images upload, text can be sent.
  const images = editing ? [] : image.files;
  const unsentImages = images.filter(({ state }) => state === 'draft').length;
  const hasImages = unsentImages > 0;
  const isHighlighted = useEditHighlight(editing?._id);
  const isDeleted = isPartnerDeleted(room);
  const noteId = useId();
  const excess = excessLength(value);
  const hasKeyboard = useTextBoxFocus(
    box,
    editing?._id,
    hasRecorder,
    // In a request, Tab reaches its buttons first.
    !isDeleted && room.isRequest !== true,
  );

  const submit = (): void => {
    if (isDeleted) {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
      setValue('');
      for (const { clientId } of image.files) client.discard(clientId);
      return;
    }
    if (hasImages) {
      image.send();
      if (hasKeyboard) box.current?.focus();
      return;
    }
    const content = cleanText(value);
    if (!isSendable(content)) return;
    if (editing) {
      void save(content);
      return;
    }
    client.send(room.id, content);
    setValue('');
    box.current?.focus();
  };

  const removeImage = (clientId: string): void => {
    client.discard(clientId);
    // Moves the focus from the removed button, but not on touch devices, where it opens an on-screen keyboard.
    if (hasKeyboard) box.current?.focus();
  };

  const editLast = (): void => {
    const own = room.messages.findLast(
      ({ sender, kind }) => sender.username === room.currentUsername && kind === 'text',
    );
    if (own) client.editing.getState().start(own);
  };

  if (hasRecorder) {
    return (
      <InputFrame>
        <Recorder
          room={room}
          isRecording={isRecording}
          recorded={recorded}
          onEnd={() => setIsRecording(false)}
        />
      </InputFrame>
    );
  }
  const canSend = hasImages || (isSendable(cleanText(value)) && excess === 0);
  return (
    <InputFrame>
      {editing && <EditNote text={editing.content} onCancel={stopEditing} />}
      {recordings.length > 0 && <QueuedRecordings recordings={recordings} />}
      {images.length > 0 && <ImageDrafts images={images} onRemove={removeImage} />}
      {isDeleted && (
        <p id={noteId} className={note.note}>
          {t('room.partnerDeletedNote')}
        </p>
      )}
      <LengthWarning excess={excess} />
      <div className={classNames(css.bar, isHighlighted && css.highlight)}>
        <EmojiButton box={box} />
        <ImageButton onPick={image.choose} isDisabled={editing !== undefined || isDeleted} />
        <TextBox
          ref={box}
          value={value}
          onValueChange={setValue}
          onSend={submit}
          onEscape={editing ? stopEditing : undefined}
          onUpWhenEmpty={editing ? undefined : editLast}
          onPasteFiles={editing || isDeleted ? undefined : image.choose}
          isInvalid={excess > 0}
          describedBy={isDeleted ? noteId : undefined}
        />
        <RecordButton
          onStart={() => setIsRecording(true)}
          isDisabled={editing !== undefined || isDeleted}
        />
        <SubmitButton
          isEditing={editing !== undefined}
          unsentImages={unsentImages}
          canSend={canSend}
          onClick={submit}
        />
      </div>
    </InputFrame>
  );
}

interface SubmitButtonProps {
  isEditing: boolean;
  unsentImages: number;
  canSend: boolean;
  onClick: () => void;
}

function SubmitButton({ isEditing, unsentImages, canSend, onClick }: SubmitButtonProps) {
  const { t } = useTranslation();
  const sendLabel =
    unsentImages > 0 ? t('composer.sendImage', { count: unsentImages }) : t('composer.send');
  return (
    <IconButton
      label={isEditing ? t('composer.save') : sendLabel}
      variant="own"
      icon={isEditing ? <Check aria-hidden="true" /> : <SendHorizontal aria-hidden="true" />}
      aria-disabled={!canSend || undefined}
      className={canSend ? undefined : css.idle}
      onClick={onClick}
    />
  );
}

/** Returns the text in the text box: of the message that is being edited, or the draft. */
function useComposerText(chatroomId: string) {
  const client = useClient();
  const draft = useClientState('drafts', (state) => state.drafts[chatroomId] ?? '');
  const { message: editing, text: edited } = useClientState('editing');
  return {
    editing,
    value: editing ? edited : draft,
    setValue: (text: string): void => {
      if (editing) client.editing.getState().setText(text);
      else {
        client.drafts.getState().setDraft(chatroomId, text);
        if (text !== '') client.notifyTyping(chatroomId);
      }
    },
  };
}

/** Returns functions that save the edited message, one request at a time, and stop editing. */
function useSaveEdit(editing: Message | undefined, box: RefObject<HTMLTextAreaElement | null>) {
  const { t } = useTranslation();
  const client = useClient();
  const [isSaving, setIsSaving] = useState(false);

  const stopEditing = (): void => {
    client.editing.getState().stop();
    box.current?.focus();
  };

  const save = async (content: string): Promise<void> => {
    if (!editing || isSaving) return;
    if (content === editing.content) {
      stopEditing();
      return;
    }
    setIsSaving(true);
    try {
      await client.edit(editing, content);
      stopEditing();
    } catch (error) {
      logFailure('editing a message', error);
      toastError(t('composer.editFailed'));
    }
    setIsSaving(false);
  };

  return { save, stopEditing };
}

/**
 * Focuses the text box when editing starts and, with a hardware keyboard, when the room opens or the recorder
 * closes. An on-screen keyboard would cover half of the chatroom.
 * @returns whether the device seems to have a hardware keyboard
 */
function useTextBoxFocus(
  box: RefObject<HTMLTextAreaElement | null>,
  editingId: string | undefined,
  hasRecorder: boolean,
  isFocusedOnOpening: boolean,
): boolean {
  useEffect(() => {
    if (editingId !== undefined) box.current?.focus();
  }, [box, editingId]);

  const [shouldFocus] = useState(isFocusedOnOpening);
  const hasKeyboard = useHasKeyboard();
  const hadRecorder = useRef(false);
  useEffect(() => {
    const isClosing = hadRecorder.current && !hasRecorder;
    hadRecorder.current = hasRecorder;
    if (hasRecorder || !hasKeyboard || !(shouldFocus || isClosing)) return;
    box.current?.focus({ preventScroll: true });
  }, [box, hasKeyboard, hasRecorder, shouldFocus]);

  return hasKeyboard;
}
