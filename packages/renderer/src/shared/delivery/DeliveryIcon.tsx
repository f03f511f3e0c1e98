import type { DeliveryState } from '@parley/client';
import { Check, CheckCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import css from './DeliveryIcon.module.css';

/** Whether an own message is on the server, on a device of the partner, or read. */
export function DeliveryIcon({ delivery }: { delivery: DeliveryState }) {
  const { t } = useTranslation();
  const text = t(`message.${delivery}`);
  const Icon = delivery === 'sent' ? Check : CheckCheck;
  return (
    <span className={css.delivery} title={text} data-delivery={delivery}>
      <Icon />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
