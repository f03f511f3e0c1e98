import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApi } from '../../app/app-context.ts';
import { chatPath, PATHS } from '../../navigation/paths.ts';
import { loadErrorText } from '../../shared/screen/load-error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './InvitePage.module.css';
import { isInvalid } from './use-invitation.ts';

interface AcceptInvitationProps {
  code: string;
  /** The current user. */
  ownName: string;
  onInvalid: () => void;
}

/** The button with which a user starts the chat. */
export function AcceptInvitation({ code, ownName, onInvalid }: AcceptInvitationProps) {
  const { t } = useTranslation();
  const api = useApi();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function start(): Promise<void> {
    setIsBusy(true);
    setError(undefined);
    try {
      const { chatroomId } = await api.call('redeemInvitation', { body: { code } });
      // A used invitation is no longer valid, so going back must not lead to it.
      await navigate(chatPath(chatroomId), { replace: true });
    } catch (cause) {
      if (isInvalid(cause)) onInvalid();
      else setError(loadErrorText(t, cause));
      setIsBusy(false);
    }
  }

  return (
    <>
      <p className={css.text}>{t('invite.textUser', { name: ownName })}</p>
      <div className={css.error}>
        <FormError text={error} />
      </div>
      <div className={css.actions}>
        <Button isBusy={isBusy} onClick={() => void start()}>
          {t('invite.start')}
        </Button>
        <LinkButton variant="ghost" to={PATHS.chats}>
          {t('invite.toChats')}
        </LinkButton>
      </div>
    </>
  );
}
