import type { DeliveryState, MessageEntry } from '@parley/client';
import type { Language } from '@parley/texts';
import { CircleAlert, Clock3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatFull, formatWhen } from '../../../format/dates.ts';
import { DeliveryIcon } from '../../../shared/delivery/DeliveryIcon.tsx';
import css from './MessageMeta.module.css';

interface MessageMetaProps {
  createdAt: string;
  /** Undefined for an unsent message. */
  updatedAt: string | undefined;
  state: MessageEntry['state'] | 'sent';
  /** Applies to a message that was sent. */
  delivery: DeliveryState;
  /** Whether it waits for the limit of messages to users who have not accepted. */
  isLimited: boolean;
  isOwn: boolean;
  language: Language;
  today: Date;
  /** The buttons of an own message, before the time. */
  actions: ReactNode;
  /** The button of the menu, on touch screens. */
  menuButton: ReactNode;
}

const ICONS = { sending: Clock3, waiting: Clock3, failed: CircleAlert } as const;

/** A message's time, whether and when it was edited, the delivery state of own messages and their buttons. */
export function MessageMeta(props: MessageMetaProps) {
  const { createdAt, updatedAt, state, delivery, isOwn, language, today } = props;
  const { t } = useTranslation();
  const isUpdated = updatedAt !== undefined && updatedAt !== createdAt;
  return (
    <span className={css.meta}>
      {props.actions}
      {isUpdated && (
        <span title={t('message.updatedAt', { time: formatFull(updatedAt, language) })}>
          {t('message.updated')}
          <span className="visually-hidden"> {formatWhen(updatedAt, language, today)}</span>
        </span>
      )}
      <time dir="ltr" dateTime={createdAt} title={formatFull(createdAt, language)}>
        {formatWhen(createdAt, language, today)}
      </time>
      {isOwn &&
        (state === 'sent' ? (
          <DeliveryIcon delivery={delivery} />
        ) : (
          <Unsent state={state} isLimited={props.isLimited} />
        ))}
      {props.menuButton}
    </span>
  );
}

/** The buttons of an image whose caption has the time. */
export function MessageMetaButtons({ children }: { children: ReactNode }) {
  return (
    <span className={css.meta} data-timeless>
      {children}
    </span>
  );
}

interface UnsentProps {
  state: MessageEntry['state'];
  isLimited: boolean;
}

function Unsent({ state, isLimited }: UnsentProps) {
  const { t } = useTranslation();
  const Icon = ICONS[state];
  const label = t(`message.${state === 'waiting' && isLimited ? 'unsent' : state}`);
  return (
    <span className={css.state} title={label} data-state={state}>
      <Icon />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
