import { ApiError } from '@parley/client';
import { LIMITS, type Invitation } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { loadErrorText } from '../../shared/screen/load-error-text.ts';
import { FormError } from '../../ui/FormError.tsx';
import { RadioList } from '../../ui/RadioList.tsx';
import { SegmentedControl } from '../../ui/SegmentedControl.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useForm } from '../../ui/use-form.ts';
import css from './InvitationDialog.module.css';

/** The validity that can be chosen. Days. */
const DAYS = [1, 7, LIMITS.invitationDaysDefault, LIMITS.invitationDaysMax];

interface InvitationFormProps {
  /** Id of the form, for the button that submits it. */
  id: string;
  onBusyChange: (isBusy: boolean) => void;
  onCreated: (invitation: Invitation) => void;
}

/** The form that creates an invitation. */
export function InvitationForm({ id, onBusyChange, onCreated }: InvitationFormProps) {
  const { t } = useTranslation();
  const api = useApi();

  const form = useForm({
    initial: { uses: 'once', days: String(LIMITS.invitationDaysDefault), note: '' },
    validate: () => ({}),
    send: async ({ uses, days, note }) => {
      onBusyChange(true);
      try {
        const body = { isSingleUse: uses === 'once', days: Number(days), note: note.trim() };
        onCreated(await api.call('createInvitation', { body }));
      } catch (error) {
        const isFull = error instanceof ApiError && error.code === 'quota_invitations';
        return {
          form: isFull
            ? t('settings.invitationsMax', { count: LIMITS.invitationsMax })
            : loadErrorText(t, error),
        };
      } finally {
        onBusyChange(false);
      }
      return undefined;
    },
  });

  return (
    <form id={id} className={css.form} noValidate onSubmit={form.submit}>
      <RadioList
        label={t('settings.invitationUses')}
        value={form.values.uses}
        onValueChange={form.field('uses').onValueChange}
        options={[
          { value: 'once', label: t('invite.once'), help: t('settings.invitationOnceHelp') },
          {
            value: 'several',
            label: t('settings.invitationSeveral'),
            help: t('settings.invitationSeveralHelp'),
          },
        ]}
      />
      <div className={css.days}>
        <p aria-hidden="true">{t('settings.invitationDays')}</p>
        <SegmentedControl
          label={t('settings.invitationDays')}
          value={form.values.days}
          onValueChange={form.field('days').onValueChange}
          options={DAYS.map((count) => ({
            value: String(count),
            label:
              count === LIMITS.invitationDaysMax
                ? t('settings.invitationYear')
                : t('settings.invitationDay', { count }),
          }))}
        />
      </div>
      <TextField
        {...form.field('note')}
        label={t('settings.invitationNote')}
        help={t('settings.invitationNoteHelp')}
        maxLength={LIMITS.invitationNoteMax}
        autoComplete="off"
        dir="auto"
      />
      <FormError text={form.formError} />
    </form>
  );
}
