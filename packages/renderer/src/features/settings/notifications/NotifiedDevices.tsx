import type { PushDevice, SessionInfo } from '@parley/contract';
import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { RemoteContent } from '../../../shared/screen/RemoteContent.tsx';
import { SessionDetails, sessionName } from '../SessionDetails.tsx';
import sessionCss from '../SessionsSection.module.css';
import type { Remote } from '../../../shared/screen/use-remote.ts';
import { sortSessions } from '../use-sessions.ts';
import type { Delivery } from './describe-delivery.ts';
import { describeReach } from './describe-reach.ts';
import css from './NotificationsSection.module.css';
import { useNotificationTest } from './use-notification-test.ts';

/** The sessions of the user, and those of them that receive push messages. */
export interface Devices {
  sessions: readonly SessionInfo[];
  devices: readonly PushDevice[];
}

interface NotifiedDevicesProps {
  remote: Remote<Devices>;
  /** When notifications arrive on this device. */
  reach: Delivery['reach'];
}

/** What will happen on each device of the user, with a button that sends it a test. */
export function NotifiedDevices({ remote, reach }: NotifiedDevicesProps) {
  const { t } = useTranslation();
  const { testing, test, canTestHere } = useNotificationTest(remote.reload);
  return (
    <div className={css.group}>
      <h3 className={css.groupTitle}>{t('notifications.devices')}</h3>
      <RemoteContent
        remote={remote}
        loadingText={t('notifications.devicesLoading')}
        failedText={t('notifications.devicesFailed')}
      >
        {({ sessions, devices }) => (
          <ul className={sessionCss.list}>
            {sortSessions(sessions).map((session) => {
              const { id, isCurrent } = session;
              const subscribed = devices.find(({ sessionId }) => sessionId === id);
              // Only this device knows whether its own subscription works.
              const push = isCurrent && reach !== 'closed' ? undefined : subscribed;
              const isTestable = push !== undefined || (isCurrent && canTestHere);
              return (
                <NotifiedDevice
                  key={id}
                  session={session}
                  push={push}
                  text={describeReach(session, push !== undefined, reach)}
                  isTesting={testing === id}
                  onTest={isTestable ? () => test(session, push !== undefined) : undefined}
                />
              );
            })}
          </ul>
        )}
      </RemoteContent>
    </div>
  );
}

interface NotifiedDeviceProps {
  session: SessionInfo;
  /** Its push messages, if it receives them. */
  push: PushDevice | undefined;
  text: ReturnType<typeof describeReach>;
  isTesting: boolean;
  onTest: (() => void) | undefined;
}

function NotifiedDevice({ session, push, text, isTesting, onTest }: NotifiedDeviceProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  return (
    <li className={classNames(sessionCss.session, css.device)}>
      <SessionDetails session={session}>
        <p className={sessionCss.times}>
          <span className={css.reach}>{t(`notifications.${text}`)}</span>
          {push && <span>{t('notifications.deviceService', { service: push.service })}</span>}
        </p>
      </SessionDetails>
      {onTest && (
        <Button
          variant="ghost"
          icon={<BellRing />}
          isBusy={isTesting}
          aria-label={t('notifications.testOn', {
            device: sessionName(session, t),
            date: format.inSentence(session.lastSeenAt),
          })}
          onClick={onTest}
        >
          {t('notifications.test')}
        </Button>
      )}
    </li>
  );
}
