import type { Message } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { formatWhen } from '../../../format/dates.ts';
import { mediaViewOf } from '../../../format/message-kinds.ts';
import { shorten } from '../../../format/preview.ts';
import { useToday } from '../../../format/use-clock.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import css from './people.module.css';

/** Maximum number of characters of a message that are shown. */
const TEXT_MAX = 200;

interface MessageChoiceProps {
  message: Message;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

/** A checkbox that adds a message to a report. Pictures and recordings are not loaded. */
export function MessageChoice({ message, isChosen, onChange }: MessageChoiceProps) {
  const language = useLanguage();
  const today = useToday();
  const { _id, createdAt } = message;
  return (
    <Checkbox name={_id} checked={isChosen} onCheckedChange={onChange}>
      <span className={css.message}>
        <Content message={message} />
        <time className={css.time} dateTime={createdAt}>
          {formatWhen(createdAt, language, today)}
        </time>
      </span>
    </Checkbox>
  );
}

function Content({ message: { kind, content } }: { message: Message }) {
  const { t } = useTranslation();
  const media = mediaViewOf(kind);
  if (!media) {
    return (
      <span className={css.text} dir="auto">
        {shorten(content, TEXT_MAX)}
      </span>
    );
  }
  return (
    <span className={css.media}>
      <media.icon />
      {t(media.label.report)}
    </span>
  );
}
