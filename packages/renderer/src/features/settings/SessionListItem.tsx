import type { SessionInfo } from '@parley/contract';
import { Monitor, Smartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatFull, formatWhen } from '../../format/dates.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { Button } from '../../ui/Button.tsx';
import { describeDevice } from './describe-device.ts';
import css from './SessionsSection.module.css';

interface SessionListItemProps {
  session: SessionInfo;
  isEnding: boolean;
  onEnd: () => void;
}

/** A session of the current user. */
export function SessionListItem({ session, isEnding, onEnd }: SessionListItemProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const device = describeDevice(session.device);
  const name = device
    ? t('settings.sessionOn', { browser: device.browser, system: device.system })
    : t('settings.sessionUnknown');
  const seen = formatWhen(session.lastSeenAt, language);
  const Icon = device?.isHandheld === true ? Smartphone : Monitor;
  return (
    <li className={css.session}>
      <Icon aria-hidden="true" className={css.icon} />
      <div className={css.details}>
        <p className={css.device} title={session.device}>
          {name}
          {session.isCurrent && <span className={css.current}>{t('settings.sessionCurrent')}</span>}
        </p>
        <p className={css.times}>
          <time dateTime={session.lastSeenAt} title={formatFull(session.lastSeenAt, language)}>
            {t('settings.sessionSeen', { date: seen })}
          </time>
          <time dateTime={session.createdAt} title={formatFull(session.createdAt, language)}>
            {t('settings.sessionSince', { date: formatWhen(session.createdAt, language) })}
          </time>
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          variant="ghost"
          isBusy={isEnding}
          aria-label={t('settings.sessionEndOf', { device: name, date: seen })}
          onClick={onEnd}
        >
          {t('settings.sessionEnd')}
        </Button>
      )}
    </li>
  );
}
