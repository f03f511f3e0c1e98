import { ApiError } from '@parley/client';
import { codePoints, isBlank, LIMITS, NEW_CHATROOM } from '@parley/contract';
import type { TFunction } from 'i18next';
import { UserRoundPlus } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useClient } from '../../client/client-context.ts';
import { useHost, usePublicConfig } from '../../host/host-context.ts';
import { chatPath, newChatPath } from '../../navigation/paths.ts';
import { useFailureText } from '../../failures/use-failure-text.ts';
import { useInviteDialog } from '../../shared/invitations/use-invite-dialog.tsx';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { Button } from '../../ui/Button.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import css from './FindUserPage.module.css';
import { invitationPath } from './invitation-path.ts';

/** The page for finding a user by username. It opens the chat with them. It also opens the link of an invitation. */
export function FindUserPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { api } = client;
  const navigate = useNavigate();
  const { serverOrigin } = useHost();
  const { userInvitations } = usePublicConfig();
  const { withHelp } = useFailureText();
  const { invite, dialog } = useInviteDialog();
  const [username, setUsername] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  // Focuses the only field of this screen.
  useEffect(() => field.current?.focus(), []);

  const showError = (text: string): void => {
    setError(text);
    toastError(text);
  };

  const search = async (name: string): Promise<void> => {
    setIsBusy(true);
    // The search lists a chat again that the user has deleted.
    const { chats, status, isFromCopy } = client.chats.getState();
    try {
      const found = await api.call('findUser', { body: { username: name } });
      const { chatroom, partnerName } = found;
      if (chatroom === NEW_CHATROOM && found.isClosed) {
        showError(t('findUser.closed', { name: partnerName }));
        setIsBusy(false);
      } else if (chatroom === NEW_CHATROOM) {
        await navigate(newChatPath(partnerName));
      } else {
        // A folded request was no chat of the user's.
        const isListed =
          status !== 'ready' || isFromCopy || chats.some(({ id }) => id === chatroom);
        if (!found.wasRequest && isListed) {
          toastSuccess(t('findUser.already', { name: partnerName }), { announcesNavigation: true });
        }
        await navigate(chatPath(chatroom));
      }
    } catch (cause) {
      showError(knownErrorText(cause, t) ?? (await withHelp(t('findUser.failed'), cause)));
      setIsBusy(false);
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    const name = username.trim();
    const invitation = invitationPath(name, serverOrigin);
    if (invitation !== undefined) void navigate(invitation);
    else if (isBlank(name)) showError(t('findUser.required'));
    else if (codePoints(name) < LIMITS.usernameMin)
      showError(t('findUser.short', { min: LIMITS.usernameMin }));
    else void search(name);
  };

  return (
    <div className={css.page}>
      <ScreenHeader title={t('findUser.title')} backLabel={t('findUser.close')} />
      <form className={css.form} onSubmit={submit} noValidate>
        <RobotLogo size={72} mood="curious" />
        <p className={css.lead}>{t('findUser.lead')}</p>
        <TextField
          className={css.field}
          label={t('findUser.username')}
          name="username"
          value={username}
          onValueChange={(value) => {
            setUsername(value);
            setError(undefined);
          }}
          error={error}
          // Older servers have no invitations by users.
          help={userInvitations === undefined ? undefined : t('findUser.linkHelp')}
          required
          minLength={LIMITS.usernameMin}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          ref={field}
        />
        <Button type="submit" size="large" isBusy={isBusy} className={css.submit}>
          {t('findUser.submit')}
        </Button>
        {userInvitations !== undefined && (
          <Button
            variant="ghost"
            icon={<UserRoundPlus />}
            onClick={({ currentTarget }) => invite(currentTarget)}
          >
            {t('frame.invite')}
          </Button>
        )}
      </form>
      {dialog}
    </div>
  );
}

/** Returns the text for a failed user search, if its cause is one of the search. */
function knownErrorText(cause: unknown, t: TFunction): string | undefined {
  if (!(cause instanceof ApiError)) return t('findUser.serverError');
  if (cause.code === 'partner_blocked') return `${t('findUser.failed')} ${t('block.refused')}`;
  if (cause.status === 404) return t('findUser.notFound');
  // The server responds with 401 to a search for the user's own name.
  return cause.status === 401 ? t('findUser.self') : undefined;
}
