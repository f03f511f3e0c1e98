import { ApiError, type LoadedChatroom } from '@parley/client';
import { LIMITS, trimText, type ReportReason } from '@parley/contract';
import { useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../app/app-context.ts';
import { useClient } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { useFailureText } from '../../../failures/use-failure-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import fieldCss from '../../../ui/Field.module.css';
import { FormError } from '../../../ui/FormError.tsx';
import { RadioList } from '../../../ui/RadioList.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { toastSuccess } from '../../../ui/show-toast.ts';
import { MessageChoice } from './MessageChoice.tsx';
import css from './people.module.css';

const REASONS: readonly ReportReason[] = ['spam', 'harassment', 'illegal', 'other'];

interface ReportDialogProps {
  room: LoadedChatroom;
  /** Whether to block the partner as well. */
  isBlocking: boolean;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Reports the partner to the operator, with the messages that the user chooses. */
export function ReportDialog({ room, isBlocking, finalFocus, onClose }: ReportDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const reasons = useRef<HTMLDivElement>(null);
  const [reason, setReason] = useState<ReportReason>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [comment, setComment] = useState('');
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const { isBusy, error, send } = useReport(room, isBlocking, onClose);
  const name = room.partnerName;
  // Newer messages do not move or replace those that the user is choosing from.
  const [offered] = useState(() => newestOfPartner(room));
  const messages = room.messages.filter(({ _id }) => offered.has(_id)).toReversed();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    setIsReasonMissing(reason === undefined);
    if (reason === undefined) {
      reasons.current?.querySelector<HTMLElement>('[role="radio"]')?.focus();
      return;
    }
    // A chosen message may have been deleted in the meantime.
    const messageIds = messages.map(({ _id }) => _id).filter((id) => chosen.has(id));
    void send({ reason, messageIds, comment: trimText(comment) });
  };

  return (
    <Dialog
      onClose={onClose}
      title={t('report.title', { name })}
      text={t('report.text', { name })}
      finalFocus={finalFocus}
      keepsInput
      closeLabel={t('app.cancel')}
      action={
        <Button
          type="submit"
          form={formId}
          variant={isBlocking ? 'danger' : 'primary'}
          isBusy={isBusy}
        >
          {isBlocking ? t('report.submitAndBlock') : t('report.submit')}
        </Button>
      }
    >
      <form id={formId} className={css.content} onSubmit={submit} noValidate>
        <RadioList
          ref={reasons}
          label={t('report.reason')}
          isLabelVisible
          value={reason}
          onValueChange={(value) => {
            setReason(value);
            setIsReasonMissing(false);
          }}
          options={REASONS.map((value) => ({ value, label: t(`report.reasons.${value}`) }))}
          error={isReasonMissing ? t('report.reasonRequired') : undefined}
        />
        {messages.length > 0 && (
          <fieldset className={css.messages}>
            <legend className={css.legend}>{t('report.messages')}</legend>
            <ul className={css.list}>
              {messages.map((message) => (
                <li key={message._id}>
                  <MessageChoice
                    message={message}
                    isChosen={chosen.has(message._id)}
                    onChange={(isChosen) =>
                      setChosen((before) => withId(before, message._id, isChosen))
                    }
                  />
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        <Field label={t('report.comment')}>
          {(control) => (
            <textarea
              {...control}
              className={classNames(fieldCss.input, css.comment)}
              name="comment"
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
              maxLength={LIMITS.reportCommentMax}
              dir="auto"
            />
          )}
        </Field>
        <FormError text={error} />
      </form>
    </Dialog>
  );
}

interface Report {
  reason: ReportReason;
  messageIds: string[];
  comment: string;
}

/** Sends the report, then blocks the partner if wanted. */
function useReport(room: LoadedChatroom, isBlocking: boolean, onDone: () => void) {
  const { t } = useTranslation();
  const api = useApi();
  const client = useClient();
  const { explain } = useFailureText();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const name = room.partnerName;

  async function send({ reason, messageIds, comment }: Report): Promise<void> {
    setIsBusy(true);
    setError(undefined);
    try {
      const optional = comment === '' ? {} : { comment };
      const body = { chatroom: room.id, messageIds, reason, ...optional };
      await api.call('createReport', { body });
      toastSuccess(t('report.sent'), { announcesNavigation: isBlocking });
      if (isBlocking) {
        client.block(room.id);
        toastSuccess(t('block.done', { name }), { announcesNavigation: true });
      }
      onDone();
    } catch (cause) {
      logFailure('reporting a user', cause);
      setError(await reportErrorText(cause));
      setIsBusy(false);
    }
  }

  async function reportErrorText(cause: unknown): Promise<string> {
    const code = cause instanceof ApiError ? cause.code : undefined;
    if (code === 'rate_limited') return t('report.limit');
    if (code === 'too_large') return t('report.tooLarge');
    return (await explain(cause)) ?? t('request.failed');
  }

  return { isBusy, error, send };
}

/** Returns the ids of the partner's newest messages, as many as a report may contain. */
function newestOfPartner({ messages, currentUsername }: LoadedChatroom): ReadonlySet<string> {
  const ofPartner = messages.filter(({ sender }) => sender.username !== currentUsername);
  return new Set(ofPartner.slice(-LIMITS.reportMessagesMax).map(({ _id }) => _id));
}

function withId(ids: ReadonlySet<string>, id: string, isIncluded: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIncluded) next.add(id);
  else next.delete(id);
  return next;
}
