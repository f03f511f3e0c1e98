import type { Chat } from '@parley/client';
import { SHARE_ERROR_PARAM, SHARE_ERRORS, SHARE_ID_PARAM, UI } from '@parley/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useClient } from '../../client/client-context.ts';
import { useHost } from '../../host/host-context.ts';
import type { SharedContent } from '../../host/shared-content.ts';
import { logFailure } from '../../logging/log-failure.ts';
import { chatPath, PATHS } from '../../navigation/paths.ts';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { useSmallerCopies } from '../../shared/smaller-copies/use-smaller-copies.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { toastError } from '../../ui/show-toast.ts';
import { addToDraft } from './add-to-draft.ts';
import { ChatChoice } from './ChatChoice.tsx';
import { SharedContentCard } from './SharedContentCard.tsx';
import css from './SharePage.module.css';
import { useSharedContent } from './use-shared-content.ts';

/** `/share`: the user chooses a chat for content that another app has shared. */
export function SharePage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const { state, retry } = useSharedContent(params.get(SHARE_ID_PARAM));
  const error = SHARE_ERRORS.find((name) => name === params.get(SHARE_ERROR_PARAM));
  const errorText = {
    unreadable: t('share.errorUnreadable'),
    storage: t('share.errorStorage'),
    full: t('share.errorFull'),
    nothing: t('share.errorNothing'),
    missed: t('share.errorMissed'),
  };
  return (
    <div className={css.page}>
      <ScreenHeader title={t('share.title')} backLabel={t('about.back')} />
      <div className={css.content}>
        {error && <FormError text={errorText[error]} />}
        {state.status === 'loading' && <LoadingText label={t('share.loading')} />}
        {state.status === 'failed' && (
          <LoadError title={t('share.loadFailed')} error={state.error} onRetry={retry} />
        )}
        {state.status === 'none' && (
          <EmptyState mood="curious" title={t('share.empty')} text={t('share.emptyHelp')} />
        )}
        {state.status === 'ready' && <Choice key={state.content.id} content={state.content} />}
      </div>
    </div>
  );
}

/** The shared content and the chats to choose from. */
function Choice({ content }: { content: SharedContent }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useClient();
  const { sharedContent } = useHost();
  const { offer, dialog } = useSmallerCopies();
  const isChoosing = useRef(false);
  const [isDiscarding, setIsDiscarding] = useState(false);

  const choose = async ({ id }: Chat): Promise<void> => {
    // A second tap would open a second chat.
    if (isChoosing.current) return;
    isChoosing.current = true;
    const outcome = await addToDraft({
      client,
      sharedContent,
      content,
      chatroomId: id,
      offerCopy: offer,
    }).finally(() => {
      isChoosing.current = false;
    });
    if (outcome === 'full') toastError(t('share.chatFull', { count: UI.unsentImagesMax }));
    else if (outcome !== 'declined') await navigate(chatPath(id), { replace: true });
  };
  const discard = async (): Promise<void> => {
    await sharedContent?.remove(content.id);
    await navigate(PATHS.chats, { replace: true });
  };
  // The content stays, so that the user can try again.
  const chooseOrTell = (chat: Chat): void =>
    void choose(chat).catch((error: unknown) => {
      logFailure('adding shared content to a chat', error);
      toastError(t('share.addFailed'));
    });
  const discardOrTell = (): void =>
    void discard().catch((error: unknown) => {
      logFailure('discarding shared content', error);
      setIsDiscarding(false);
      toastError(t('share.discardFailed'));
    });
  const isUsable = content.text !== '' || content.images.length > 0;

  return (
    <>
      <SharedContentCard content={content}>
        <Button variant="secondary" onClick={() => setIsDiscarding(true)}>
          {t('share.discard')}
        </Button>
      </SharedContentCard>
      {isUsable && <ChatChoice onChoose={chooseOrTell} />}
      <ConfirmDialog
        open={isDiscarding}
        onOpenChange={setIsDiscarding}
        title={t('share.discardTitle')}
        text={t('share.discardText')}
        confirmLabel={t('share.discardConfirm')}
        cancelLabel={t('app.cancel')}
        onConfirm={discardOrTell}
        danger
      />
      {dialog}
    </>
  );
}
