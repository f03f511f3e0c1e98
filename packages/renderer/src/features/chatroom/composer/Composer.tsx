import {
  isPartnerDeleted,
  selectChosenImages,
  selectUnsentFiles,
  type Draft,
  type DraftChange,
  type FileEntry,
  type LoadedChatroom,
  type MessageIdentity,
} from '@parley/client';
import { cleanText } from '@parley/contract';
import { Check, SendHorizontal } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { isTextKind } from '../../../format/message-kinds.ts';
import { REPLY_PARAM } from '../../../navigation/paths.ts';
import css from '../../../shared/input-bar/InputBar.module.css';
import { EmojiButton } from '../../../shared/input-bar/emoji/EmojiButton.tsx';
import { InputFrame } from '../../../shared/input-bar/InputFrame.tsx';
import { TextBox } from '../../../shared/input-bar/TextBox.tsx';
import { excessLength } from '../../../shared/input-bar/excess-length.ts';
import { LengthWarning } from '../../../shared/input-bar/LengthWarning.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import { ImageButton } from '../image/ImageButton.tsx';
import { ImageDrafts } from '../image/ImageDrafts.tsx';
import { SmallerCopyOffer } from '../image/SmallerCopyOffer.tsx';
import { DeleteMessageDialog } from '../messages/menu/DeleteMessageDialog.tsx';
import { ReplyNote } from '../replies/ReplyNote.tsx';
import { useAddressParam } from '../use-address-param.ts';
import { useDraft } from '../use-draft.ts';
import { useHasKeyboard } from '../use-has-keyboard.ts';
import { QueuedRecordings } from '../recorder/QueuedRecordings.tsx';
import { RecordButton } from '../recorder/RecordButton.tsx';
import { Recorder } from '../recorder/Recorder.tsx';
import note from './DeletedNote.module.css';
import { EditNote } from './EditNote.tsx';
import { useEndDeletedEdit } from './use-end-deleted-edit.ts';
import { useEditHighlight } from './use-edit-highlight.ts';

/** Adds images to the draft. */
type OnChooseImages = (files: Iterable<File>) => void;

/** The composer: writes, edits and records messages. */
export function Composer({
  room,
  selectionBar,
  onChooseImages,
}: {
  room: LoadedChatroom;
  /** Takes the place of the text box while the user selects messages. A recording goes on below it. */
  selectionBar: ReactNode;
  onChooseImages: OnChooseImages;
}) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, changeDraft] = useDraft(room.id);
  const { editing } = draft;
  const { recordings, recorded, isRecording, setIsRecording } = useRecordings(room.id);
  const hasRecorder = isRecording || recorded !== undefined;
  const isDeleted = isPartnerDeleted(room);
  const canReply = !isDeleted && room.status !== 'request';
  useEndDeletedEdit(room);
  // In a request, Tab reaches its buttons first.
  const hasKeyboard = useTextBoxFocus(box, editing?.messageId, hasRecorder, canReply);
  // The user has chosen to reply in a notification.
  useAddressParam(REPLY_PARAM, !hasRecorder, () => box.current?.focus());

  const changeAndFocus = (change: DraftChange): void => {
    changeDraft(change);
    box.current?.focus();
  };
  const stopEditing = (): void => changeAndFocus({ editing: undefined });
  const cancelReply = (): void => changeAndFocus({ replyTo: undefined });
  const isSelecting = Boolean(selectionBar);
  const replyTo = canReply && !editing && !isSelecting ? draft.replyTo : undefined;
  return (
    <InputFrame>
      {selectionBar}
      {replyTo && <ReplyNote chatroomId={room.id} replyTo={replyTo} onCancel={cancelReply} />}
      {hasRecorder && (
        <Recorder
          room={room}
          isRecording={isRecording}
          recorded={recorded}
          onEnd={() => setIsRecording(false)}
        />
      )}
      {!hasRecorder && !isSelecting && (
        <TextComposer
          room={room}
          box={box}
          draft={draft}
          isDeleted={isDeleted}
          hasKeyboard={hasKeyboard}
          recordings={recordings}
          onChooseImages={onChooseImages}
          onRecord={() => setIsRecording(true)}
          onStopEditing={stopEditing}
          onEscape={editing ? stopEditing : replyTo && cancelReply}
        />
      )}
    </InputFrame>
  );
}

/** What is written, and where. */
interface WritingOptions {
  room: LoadedChatroom;
  box: RefObject<HTMLTextAreaElement | null>;
  draft: Draft;
  /** Whether the partner's account is deleted. */
  isDeleted: boolean;
  hasKeyboard: boolean;
}

interface TextComposerProps extends WritingOptions {
  /** Recordings that are not sent yet. */
  recordings: readonly FileEntry[];
  onChooseImages: OnChooseImages;
  /** Called when the user starts a recording. */
  onRecord: () => void;
  onStopEditing: () => void;
  onEscape: (() => void) | undefined;
}

/** The text box and its buttons, below the notes and images that belong to the message. */
function TextComposer(props: TextComposerProps) {
  const { recordings, onChooseImages, onRecord, onStopEditing, onEscape, ...writing } = props;
  const { room, box, draft, isDeleted, hasKeyboard } = writing;
  const { editing } = draft;
  const { t } = useTranslation();
  const client = useClient();
  const noteId = useId();
  const isHighlighted = useEditHighlight(editing?.messageId);
  const { value, setValue, images, chosen, excess, canSend, isAwaited, submit, dialog } =
    useSubmit(writing);
  const unsentImages = images.length + chosen.length;
  const edited = editing && room.messages.find(({ _id }) => _id === editing.messageId);
  const canAttach = !editing && !isDeleted;

  // Moves the focus from a button that disappears, but not on touch devices, where it opens an on-screen keyboard.
  const focusBox = (): void => {
    if (hasKeyboard) box.current?.focus();
  };

  const removeImage = (clientId: string): void => {
    client.discard(clientId);
    focusBox();
  };

  const editLast = (): void => {
    const own = room.messages.findLast(
      ({ sender, kind }) => sender.username === room.currentUsername && isTextKind(kind),
    );
    if (own) client.startEdit(own);
  };

  return (
    <>
      {editing && <EditNote text={edited?.content ?? editing.original} onCancel={onStopEditing} />}
      {recordings.length > 0 && <QueuedRecordings recordings={recordings} />}
      {unsentImages > 0 && <ImageDrafts images={images} chosen={chosen} onRemove={removeImage} />}
      {images
        .filter(({ isTooLarge }) => isTooLarge)
        .map((image) => (
          <SmallerCopyOffer
            key={image.clientId}
            image={image}
            canSend={canSend}
            onSent={focusBox}
          />
        ))}
      {isDeleted && (
        <p id={noteId} className={note.note}>
          {t('room.partnerDeletedNote')}
        </p>
      )}
      <LengthWarning excess={excess} />
      <div className={classNames(css.bar, isHighlighted && css.highlight)}>
        <EmojiButton box={box} />
        <ImageButton onPick={onChooseImages} isDisabled={!canAttach} />
        <TextBox
          ref={box}
          value={value}
          onValueChange={setValue}
          onSend={submit}
          onEscape={onEscape}
          // The server refuses edits of messages to a partner who is deleted.
          onUpWhenEmpty={editing || isDeleted ? undefined : editLast}
          onPasteFiles={canAttach ? onChooseImages : undefined}
          isInvalid={excess > 0}
          describedBy={isDeleted ? noteId : undefined}
        />
        <RecordButton onStart={onRecord} isDisabled={!canAttach} />
        <SubmitButton
          isEditing={editing !== undefined}
          unsentImages={unsentImages}
          canSend={canSend}
          isAwaited={isAwaited}
          onClick={submit}
        />
      </div>
      {dialog}
    </>
  );
}

/** Returns the text in the text box and the images, whether they can be sent, and what sends them or saves an edit. */
function useSubmit({ room, box, draft, isDeleted, hasKeyboard }: WritingOptions) {
  const { t } = useTranslation();
  const client = useClient();
  const { editing, attachments } = draft;
  const [deleting, setDeleting] = useState<MessageIdentity>();
  // Images are hidden while a message is edited.
  const images = editing ? [] : selectUnsentFiles(attachments, 'image', room.id);
  const reading = useClientState('chosenImages');
  const chosenImages = selectChosenImages(reading.images, room.id);
  const chosen = editing ? [] : chosenImages;
  const unsentImages = images.length + chosen.length;
  /** Whether the draft is sent once its images are read. */
  const isAwaited = !editing && reading.awaitedBy.includes(room.id);
  const value = (editing ?? draft).text;
  const excess = excessLength(value);
  const isEmpty = cleanText(value) === '';
  const canSend = excess === 0 && (!isEmpty || unsentImages > 0 || editing !== undefined);

  const setValue = (text: string): void => {
    const { change } = client.drafts.getState();
    change(room.id, editing ? { editing: { ...editing, text } } : { text });
    if (!editing && text !== '') client.notifyTyping(room.id);
  };

  const submit = (): void => {
    if (isDeleted) {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
      client.drafts.getState().discard(room.id);
      for (const { clientId } of [...attachments, ...chosenImages]) client.discard(clientId);
    } else if (excess > 0) {
      toastError(t('composer.tooLong', { count: excess }));
    } else if (editing && isEmpty) {
      setDeleting({ _id: editing.messageId, chatroom: room.id, seq: editing.seq });
    } else if (canSend) {
      client.sendDraft(room.id);
      // An on-screen keyboard would open for images that were sent without a text.
      if (unsentImages === 0 || hasKeyboard) box.current?.focus();
    }
  };

  const dialog = deleting && (
    <DeleteMessageDialog
      messages={[deleting]}
      finalFocus={box}
      onClose={() => setDeleting(undefined)}
    />
  );
  return { value, setValue, images, chosen, excess, canSend, isAwaited, submit, dialog };
}

interface SubmitButtonProps {
  isEditing: boolean;
  unsentImages: number;
  canSend: boolean;
  /** Whether the user has sent images that are still being read. */
  isAwaited: boolean;
  onClick: () => void;
}

function SubmitButton(props: SubmitButtonProps) {
  const { isEditing, unsentImages, canSend, isAwaited, onClick } = props;
  const { t } = useTranslation();
  const sendLabel =
    unsentImages > 0 ? t('composer.sendImage', { count: unsentImages }) : t('composer.send');
  const awaitedLabel = t('composer.sendWhenRead', { count: unsentImages });
  const isEnabled = canSend && !isAwaited;
  const icon = isEditing ? <Check /> : <SendHorizontal />;
  return (
    <>
      <IconButton
        label={isEditing ? t('composer.save') : isAwaited ? awaitedLabel : sendLabel}
        variant="own"
        icon={isAwaited ? <Spinner /> : icon}
        aria-busy={isAwaited || undefined}
        aria-disabled={!isEnabled || undefined}
        className={isEnabled ? undefined : css.idle}
        onClick={onClick}
      />
      <output className="visually-hidden">{isAwaited && awaitedLabel}</output>
    </>
  );
}

/** Returns the recordings of a chatroom that are not uploaded yet, and whether the microphone is in use. */
function useRecordings(chatroomId: string) {
  const [isRecording, setIsRecording] = useState(false);
  const entries = useClientState('outbox', (state) => state.entries);
  const recordings = useMemo(
    () => selectUnsentFiles(entries, 'audio', chatroomId),
    [entries, chatroomId],
  );
  const recorded = recordings.find(({ state }) => state === 'draft');
  return { recordings, recorded, isRecording, setIsRecording };
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
  const knownEditingId = useRef(editingId);
  useEffect(() => {
    if (editingId !== undefined && editingId !== knownEditingId.current) box.current?.focus();
    knownEditingId.current = editingId;
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
