import type { Message, Reaction } from '@parley/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { CIRCASSIA } from '../../../../format/custom-emoji.ts';
import { EmojiText } from '../../../../format/EmojiText.tsx';
import { Tooltip } from '../../../../ui/Tooltip.tsx';
import { useChatroomMode } from '../../chatroom-mode.ts';
import css from './MessageReactions.module.css';
import { useReact } from './use-react.ts';

interface MessageReactionsProps {
  message: Message;
  /** Whether Tab reaches the reactions. */
  isTabStop: boolean;
}

/** The reactions to a message below it, which a click adds or takes back. */
export function MessageReactions({ message, isTabStop }: MessageReactionsProps) {
  const { t } = useTranslation();
  const { canReact } = useChatroomMode();
  const { react, username } = useReact();
  const { reactions = [] } = message;
  if (reactions.length === 0) return null;
  return (
    <ul className={css.reactions} aria-label={t('reaction.list')}>
      {reactions.map(({ emoji, usernames }) => {
        const isOwn = usernames.includes(username);
        const who = describeUsers({ emoji, usernames }, username, t);
        const content = (
          <>
            <span className={css.emoji} aria-hidden="true">
              <EmojiText text={emoji} />
            </span>
            {usernames.length > 1 && (
              <span className={css.count} aria-hidden="true">
                {usernames.length}
              </span>
            )}
          </>
        );
        const label = t('reaction.chip', { emoji: emojiName(emoji, t), who });
        return (
          <li key={emoji} className="fade-in">
            <Tooltip text={who}>
              {canReact ? (
                <button
                  type="button"
                  className={css.chip}
                  aria-pressed={isOwn}
                  aria-label={label}
                  tabIndex={isTabStop ? 0 : -1}
                  onClick={() => react(message, emoji, !isOwn)}
                >
                  {content}
                </button>
              ) : (
                <span className={css.chip} data-own={isOwn}>
                  {content}
                  <span className="visually-hidden">{label}</span>
                </span>
              )}
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the name of the custom emoji. Screen readers know the names of the others. */
function emojiName(emoji: string, t: TFunction): string {
  return emoji === CIRCASSIA.shortcode ? t(CIRCASSIA.nameKey) : emoji;
}

/** Returns who has reacted with an emoji: the current user first. */
function describeUsers({ usernames }: Reaction, username: string, t: TFunction): string {
  const others = usernames.filter((name) => name !== username);
  const [other] = others;
  if (other === undefined) return t('reaction.you');
  return others.length < usernames.length ? t('reaction.youAnd', { name: other }) : other;
}
