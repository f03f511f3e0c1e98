import { BellOff, BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../format/use-clock.ts';
import { useDateFormat } from '../../../format/use-date-format.ts';
import { Button } from '../../../ui/Button.tsx';
import { SettingRow } from '../SettingsSection.tsx';
import css from './NotificationsSection.module.css';
import { useChangeNotifications } from './use-change-notifications.ts';

const HOUR_MS = 60 * 60_000;

/** Pauses all notifications and sounds for an hour, and ends the pause. */
export function PauseRow({ pausedUntil }: { pausedUntil: string | null }) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const change = useChangeNotifications();
  const now = useNow();
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > now;
  return (
    <div className={css.group}>
      <SettingRow
        label={
          isPaused
            ? t('notifications.pausedUntil', { time: format.until(pausedUntil) })
            : t('notifications.pause')
        }
        help={t('notifications.pauseHelp')}
      >
        <div className={css.rowEnd}>
          <Button
            variant="secondary"
            icon={isPaused ? <BellRing /> : <BellOff />}
            onClick={() => change({ pausedUntil: isPaused ? null : inAnHour() })}
          >
            {t(isPaused ? 'notifications.resume' : 'notifications.pauseHour')}
          </Button>
        </div>
      </SettingRow>
    </div>
  );
}

function inAnHour(): string {
  return new Date(Date.now() + HOUR_MS).toISOString();
}
