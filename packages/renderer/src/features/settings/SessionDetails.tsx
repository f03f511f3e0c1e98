import type { SessionInfo } from '@parley/contract';
import type { TFunction } from 'i18next';
import { Monitor, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDateFormat } from '../../format/use-date-format.ts';
import { describeDevice } from './describe-device.ts';
import css from './SessionsSection.module.css';

interface SessionDetailsProps {
  session: SessionInfo;
  /** Further lines between the device and its times. */
  children?: ReactNode;
}

/** The device of a session, and since when and until when it was used, which tells devices of one kind apart. */
export function SessionDetails({ session, children }: SessionDetailsProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { lastSeenAt, createdAt, isCurrent } = session;
  const Icon = describeDevice(session.device)?.isHandheld === true ? Smartphone : Monitor;
  return (
    <>
      <Icon className={css.icon} />
      <div className={css.details}>
        <p className={css.device} title={session.device}>
          {sessionName(session, t)}
          {isCurrent && <span className={css.current}>{t('settings.sessionCurrent')}</span>}
        </p>
        {children}
        <p className={css.times}>
          <time dateTime={lastSeenAt} title={format.full(lastSeenAt)}>
            {t('settings.sessionSeen', { date: format.inSentence(lastSeenAt) })}
          </time>
          <time dateTime={createdAt} title={format.full(createdAt)}>
            {t('settings.sessionSince', { date: format.inSentence(createdAt) })}
          </time>
        </p>
      </div>
    </>
  );
}

/** Returns the name of a session's device. */
export function sessionName(session: SessionInfo, t: TFunction): string {
  const device = describeDevice(session.device);
  if (!device) return t('settings.sessionUnknown');
  return t('settings.sessionOn', { browser: device.browser, system: device.system });
}
