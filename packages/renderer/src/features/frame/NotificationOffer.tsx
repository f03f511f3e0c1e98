import type { Client } from '@parley/client';
import { BellRing } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp, useSettings } from '../../app/app-context.ts';
import { useClient } from '../../client/client-context.ts';
import { usePushRegistration } from '../../client/push-context.ts';
import { useHost } from '../../host/host-context.ts';
import { Banner, BannerButton } from '../../ui/Banner.tsx';
import css from './NotificationOffer.module.css';

/** Offers notifications above the chat list, once on each device, after the first message was received. */
export function NotificationOffer() {
  const { t } = useTranslation();
  const host = useHost();
  const { enable } = usePushRegistration();
  const { notificationOffer, setNotificationOffer, areNotificationsOff } = useSettings(
    (settings) => settings,
  );
  // The installed app needs no permission.
  const canAsk = !host.device && host.notificationState() === 'not-asked' && !areNotificationsOff;
  useFirstMessage(canAsk && notificationOffer === 'early');
  if (!canAsk || notificationOffer !== 'due') return null;

  const answer = (): void => {
    // The button that was pressed disappears.
    document.querySelector<HTMLElement>('[data-chat][tabindex="0"]')?.focus();
    setNotificationOffer('answered');
  };
  return (
    <div data-screen-header>
      <Banner
        tone="info"
        icon={<BellRing />}
        action={
          <span className={css.actions}>
            <BannerButton
              onClick={() => {
                answer();
                void enable();
              }}
            >
              {t('notifications.turnOn')}
            </BannerButton>
            <BannerButton onClick={answer}>{t('notifications.offerLater')}</BannerButton>
          </span>
        }
      >
        {t('notifications.offer')}
      </Banner>
    </div>
  );
}

/** Records on this device that a message was received, while that is awaited. */
function useFirstMessage(isAwaited: boolean): void {
  const { settings } = useApp();
  const { chats } = useClient();
  useEffect(() => {
    if (!isAwaited) return undefined;
    const check = (): void => {
      if (hasReceived(chats.getState())) settings.getState().setNotificationOffer('due');
    };
    check();
    return chats.subscribe(check);
  }, [isAwaited, settings, chats]);
}

/** Quiet requests do not ask for attention. */
function hasReceived({ chats }: ReturnType<Client['chats']['getState']>): boolean {
  return chats.some(({ status, last }) => status !== 'request' && last !== null && !last.isOwn);
}
