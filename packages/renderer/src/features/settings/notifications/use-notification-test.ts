import { ApiError } from '@parley/client';
import type { PushTestResponse, SessionInfo } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useSettings } from '../../../app/app-context.ts';
import { usePushRegistration } from '../../../client/push-context.ts';
import { useHost } from '../../../host/host-context.ts';
import { PATHS } from '../../../navigation/paths.ts';
import { useFailureText } from '../../../failures/use-failure-text.ts';
import { toastError, toastInfo, toastSuccess } from '../../../ui/show-toast.ts';

interface NotificationTest {
  /** Id of the session to which a test is being sent. */
  testing: string | undefined;
  /** Sends a test to a session: a push message, or else a notification of this page. */
  test: (session: SessionInfo, isPushed: boolean) => void;
  /** Whether this page can show a notification. The installed app has a test of its own. */
  canTestHere: boolean;
}

/**
 * Sends test notifications and shows toasts with the results.
 * @param reload loads the devices again, as a test found that one is gone
 */
export function useNotificationTest(reload: () => void): NotificationTest {
  const { t } = useTranslation();
  const api = useApi();
  const host = useHost();
  const { explain } = useFailureText();
  const device = usePushRegistration();
  const isTurnedOff = useSettings(({ areNotificationsOff }) => areNotificationsOff);
  const [testing, setTesting] = useState<string>();

  async function report(result: PushTestResponse['result'], isCurrent: boolean): Promise<void> {
    if (result === 'accepted') toastSuccess(t('notifications.testSent'));
    else if (result === 'refused') toastError(t('notifications.testRefused'));
    else if (result === 'unreachable') toastError(t('notifications.testUnreachable'));
    else if (isCurrent) {
      await device.renew({ isEnded: true });
      toastInfo(t('notifications.testRenewed'));
    } else toastError(t('notifications.testEnded'));
    if (result === 'ended') reload();
  }

  async function testPush({ id, isCurrent }: SessionInfo): Promise<void> {
    try {
      const { result } = await api.call('testPush', { body: { sessionId: id } });
      await report(result, isCurrent);
    } catch (error) {
      // The subscription has ended since the list was loaded.
      if (error instanceof ApiError && error.status === 404) await report('ended', isCurrent);
      else toastError((await explain(error)) ?? t('notifications.testFailed'));
    }
  }

  async function testPage(): Promise<void> {
    let isShown = true;
    await host.notify({
      chatroom: 'test',
      path: PATHS.settings,
      title: t('notifications.testTitle'),
      body: t('notifications.testBody'),
      sound: 'either',
      canReply: false,
      onOpen: () => undefined,
      onNotShown: () => {
        isShown = false;
      },
    });
    if (isShown) toastSuccess(t('notifications.testShown'));
    else toastError(t('notifications.testNotShown'));
  }

  async function run(session: SessionInfo, isPushed: boolean): Promise<void> {
    setTesting(session.id);
    await (isPushed ? testPush(session) : testPage());
    setTesting(undefined);
  }

  return {
    testing,
    test: (session, isPushed) => void run(session, isPushed),
    canTestHere: !host.device && !isTurnedOff && host.notificationState() === 'granted',
  };
}
