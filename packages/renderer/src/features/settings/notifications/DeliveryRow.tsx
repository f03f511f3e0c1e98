import type { NotificationSettings } from '@parley/contract';
import { BellOff, BellRing, CircleAlert, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePushRegistration } from '../../../client/push-context.ts';
import { useDateFormat, type DateFormat } from '../../../format/use-date-format.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Delivery, DeliveryAction, DeliveryText } from './describe-delivery.ts';
import css from './NotificationsSection.module.css';
import { deviceTimeZone } from './time-zones.ts';

const ICONS = {
  on: BellRing,
  failing: TriangleAlert,
  off: BellOff,
  blocked: CircleAlert,
} as const;

interface DeliveryRowProps {
  settings: NotificationSettings | undefined;
  delivery: Delivery;
  /** Called after an action, which may have asked for permission. */
  onChange: () => void;
}

/** What will happen on this device, and the buttons that change it. */
export function DeliveryRow({ settings, delivery, onChange }: DeliveryRowProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { enable, disable, renew } = usePushRegistration();
  const [running, setRunning] = useState<DeliveryAction>();
  const buttons = useRef<HTMLDivElement>(null);
  const Icon = ICONS[delivery.state];
  const zone = settings?.quietHours?.timeZone ?? deviceTimeZone();

  function text({ key, values, until }: DeliveryText): string {
    const plain = t(key, {
      from: formatClock(values?.from, format),
      to: formatClock(values?.to, format),
      time: until === undefined ? '' : format.until(until),
    });
    if (!values || zone === deviceTimeZone()) return plain;
    return t('notifications.inZone', { text: plain, zone: zone.replaceAll('_', ' ') });
  }

  async function run(action: DeliveryAction): Promise<void> {
    const actions = { turnOn: enable, turnOff: disable, retry: () => renew() };
    setRunning(action);
    await actions[action]();
    onChange();
    setRunning(undefined);
  }

  const isRunning = running !== undefined;
  // The button that was pressed may be gone.
  useEffect(() => {
    if (!isRunning || document.activeElement !== document.body) return;
    buttons.current?.querySelector('button')?.focus();
  });

  return (
    <div className={css.delivery} data-state={delivery.state}>
      <Icon className={css.deliveryIcon} />
      <div className={css.deliveryText}>
        <h3 className={css.deliveryTitle}>{t('notifications.currentDevice')}</h3>
        <p aria-live="polite">{text(delivery.headline)}</p>
        <ul className={css.deliveryDetails}>
          {delivery.details.map((each) => (
            <li key={each.key}>{text(each)}</li>
          ))}
        </ul>
        {delivery.actions.length > 0 && (
          <div ref={buttons} className={css.deliveryActions}>
            {delivery.actions.map((action) => (
              <Button
                key={action}
                variant="secondary"
                isBusy={isRunning}
                onClick={() => void run(action)}
              >
                {t(`notifications.${action}`)}
              </Button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** Formats HH:MM in the user's language, in whatever time zone it is meant. */
function formatClock(time: string | undefined, format: DateFormat): string {
  if (time === undefined) return '';
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return format.time(new Date(2000, 0, 1, hours, minutes).toISOString());
}
