import { isPartnerDeleted, type ShownChatroom } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { EmojiText } from '../../../format/EmojiText.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { useChatroomMode } from '../chatroom-mode.ts';
import css from './EmptyChatroom.module.css';

const WAVE = '👋';

/** What a chatroom without messages shows. Those who have accepted each other can send a greeting with one tap. */
export function EmptyChatroom({ room }: { room: ShownChatroom }) {
  const { t } = useTranslation();
  const client = useClient();
  const { canReact: areAccepted } = useChatroomMode();
  if (!areAccepted) {
    return (
      <div className={css.empty}>
        <EmptyState
          title={t('room.empty')}
          {...(!isPartnerDeleted(room) && { text: t('room.emptyHelp') })}
        />
      </div>
    );
  }
  return (
    <div className={css.empty}>
      <EmptyState
        title={t('room.greeting', { name: room.partnerName })}
        text={t('room.greetingHelp')}
        action={
          <Button
            variant="secondary"
            icon={
              <span aria-hidden="true">
                <EmojiText text={WAVE} />
              </span>
            }
            onClick={() => client.send(room.id, WAVE)}
          >
            {t('room.wave')}
          </Button>
        }
      />
    </div>
  );
}
