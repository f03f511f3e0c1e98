import { isPartnerDeleted, type FileEntry, type LoadedChatroom } from '@parley/client';
import { cleanText, isSendable } from '@parley/contract';
import { Check, SendHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { isTextKind } from '../../../format/message-kinds.ts';
import { REPLY_PARAM } from '../../../navigation/paths.ts';
import css from '../../../shared/input-bar/InputBar.module.css';
import { EmojiButton } from '../../../shared/input-bar/emoji/EmojiButton.tsx';
import { InputFrame } from '../../../shared/input-bar/InputFrame.tsx';
import { TextBox } from '../../../shared/input-bar/TextBox.tsx';
import { excessLength } from '../../../shared/input-bar/excess-length.ts';
import { LengthWarning } from '../../../shared/input-bar/LengthWarning.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useCloseOnBack } from '../../../ui/use-close-on-back.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toastError } from '../../../ui/show-toast.ts';
import { ImageButton } from '../image/ImageButton.tsx';
import { ImageDrafts } from '../image/ImageDrafts.tsx';
import type { ImageUpload } from '../image/use-image-upload.ts';
import { ReplyNote } from '../replies/ReplyNote.tsx';
import { useDraftReply, type DraftReply } from '../replies/use-draft-reply.ts';
import { useAddressParam } from '../use-address-param.ts';
import { useHasKeyboard } from '../use-has-keyboard.ts';
import { useUnsentFiles } from '../use-unsent-files.ts';
import { QueuedRecordings } from '../recorder/QueuedRecordings.tsx';
import { RecordButton } from '../recorder/RecordButton.tsx';
import { Recorder } from '../recorder/Recorder.tsx';
import note from './DeletedNote.module.css';
import { EditNote } from './EditNote.tsx';
import { useComposerText, type ComposerText } from './use-composer-text.ts';
import { useStopEditingDeleted } from './use-stop-editing-deleted.ts';
import { useEditHighlight } from './use-edit-highlight.ts';

/** The composer: writes, edits and records messages. */
export function Composer({ room, image }: { room: LoadedChatroom; image: ImageUpload }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const text = useComposerText(room.id, box);
  const { editing, stopEditing } = text;
  const reply = useDraftReply(room.id);
  const { recordings, recorded, isRecording, setIsRecording } = useRecordings(room.id);
  const hasRecorder = isRecording || recorded !== undefined;
  const isDeleted = isPartnerDeleted(room);
  const canReply = !isDeleted && room.status !== 'request';
  useStopEditingDeleted(room);
  useCloseOnBack(editing !== undefined, stopEditing, { isInline: true });
  // In a request, Tab reaches its buttons first.
  const hasKeyboard = useTextBoxFocus(box, editing?._id, hasRecorder, canReply);
  // The user has chosen to reply in a notification.
  useAddressParam(REPLY_PARAM, !hasRecorder, () => box.current?.focus());

  const cancelReply = (): void => {
    reply.cancel();
    box.current?.focus();
  };
  const replyTo = canReply && !editing ? reply.replyTo : undefined;
  return (
    <InputFrame>
      {replyTo && <ReplyNote chatroomId={room.id} replyTo={replyTo} onCancel={cancelReply} />}
      {hasRecorder ? (
        <Recorder
          room={room}
          isRecording={isRecording}
          recorded={recorded}
          onEnd={() => setIsRecording(false)}
        />
      ) : (
        <TextComposer
          room={room}
          box={box}
          text={text}
          image={image}
          reply={reply}
          isDeleted={isDeleted}
          hasKeyboard={hasKeyboard}
          recordings={recordings}
          onRecord={() => setIsRecording(true)}
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
  text: ComposerText;
  image: ImageUpload;
  reply: DraftReply;
  /** Whether the partner's account is deleted. */
  isDeleted: boolean;
  hasKeyboard: boolean;
}

interface TextComposerProps extends WritingOptions {
  /** Recordings that are not sent yet. */
  recordings: readonly FileEntry[];
  /** Called when the user starts a recording. */
  onRecord: () => void;
  onEscape: (() => void) | undefined;
}

/** The text box and its buttons, below the notes and images that belong to the message. */
function TextComposer({ recordings, onRecord, onEscape, ...writing }: TextComposerProps) {
  const { room, box, text, image, isDeleted, hasKeyboard } = writing;
  const { editing, value, setValue, stopEditing } = text;
  const { t } = useTranslation();
  const client = useClient();
  const noteId = useId();
  const isHighlighted = useEditHighlight(editing?._id);
  const { images, excess, canSend, submit } = useSubmit(writing);
  const canAttach = !editing && !isDeleted;

  const removeImage = (clientId: string): void => {
    client.discard(clientId);
    // Moves the focus from the removed button, but not on touch devices, where it opens an on-screen keyboard.
    if (hasKeyboard) box.current?.focus();
  };

  const editLast = (): void => {
    const own = room.messages.findLast(
      ({ sender, kind }) => sender.username === room.currentUsername && isTextKind(kind),
    );
    if (own) client.editing.getState().start(own);
  };

  return (
    <>
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
        <ImageButton onPick={image.choose} isDisabled={!canAttach} />
        <TextBox
          ref={box}
          value={value}
          onValueChange={setValue}
          onSend={submit}
          onEscape={onEscape}
          onUpWhenEmpty={editing ? undefined : editLast}
          onPasteFiles={canAttach ? image.choose : undefined}
          isInvalid={excess > 0}
          describedBy={isDeleted ? noteId : undefined}
        />
        <RecordButton onStart={onRecord} isDisabled={!canAttach} />
        <SubmitButton
          isEditing={editing !== undefined}
          unsentImages={images.length}
          canSend={canSend}
          onClick={submit}
        />
      </div>
    </>
  );
}

/** Returns the images of the message, whether it can be sent, and a function that sends it or saves the edit. */
function useSubmit({ room, box, text, image, reply, isDeleted, hasKeyboard }: WritingOptions) {
  const { t } = useTranslation();
  const client = useClient();
  const { editing, value, setValue, save } = text;
  // Images are hidden while a message is edited. Once the user sends them, the list shows them.
  const images = editing ? [] : image.files.filter(({ state }) => state === 'draft');
  const excess = excessLength(value);
  const content = cleanText(value);

  const submit = (): void => {
    if (isDeleted) {
      toastError(t('room.partnerDeleted'), { position: 'bottom-center' });
      setValue('');
      for (const { clientId } of image.files) client.discard(clientId);
      return;
    }
    if (images.length > 0) {
      if (excess > 0) return;
      // The text is the caption of the images.
      image.send(reply.replyTo, content);
      setValue('');
      reply.cancel();
      if (hasKeyboard) box.current?.focus();
      return;
    }
    if (!isSendable(content)) return;
    if (editing) {
      save(content);
      return;
    }
    client.send(room.id, content, reply.replyTo);
    setValue('');
    reply.cancel();
    box.current?.focus();
  };

  const canSend = excess === 0 && (images.length > 0 || isSendable(content));
  return { images, excess, canSend, submit };
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
      icon={isEditing ? <Check /> : <SendHorizontal />}
      aria-disabled={!canSend || undefined}
      className={canSend ? undefined : css.idle}
      onClick={onClick}
    />
  );
}

/** Returns the recordings of a chatroom that are not sent yet, and whether the microphone is in use. */
function useRecordings(chatroomId: string) {
  const [isRecording, setIsRecording] = useState(false);
  const recordings = useUnsentFiles('audio', chatroomId);
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
