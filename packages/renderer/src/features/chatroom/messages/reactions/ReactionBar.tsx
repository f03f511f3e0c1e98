import { Menu } from '@base-ui/react/menu';
import type { Message } from '@parley/contract';
import { Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../../app/app-context.ts';
import { EmojiText } from '../../../../format/EmojiText.tsx';
import { withoutSkinTone, withSkinTone } from '../../../../app/skin-tones.ts';
import { QUICK_EMOJI } from '../../../../shared/input-bar/emoji/quick-emoji.ts';
import { findOwnEmoji } from './own-emoji.ts';
import css from './ReactionBar.module.css';

interface ReactionBarProps {
  message: Message;
  /** Name of the user. */
  username: string;
  onReact: (emoji: string, isOn: boolean) => void;
  /** Opens the picker with all emoji. */
  onMore: () => void;
}

/** The quick reactions at the top of a message's menu, which can be reached with the arrow keys. */
export function ReactionBar({ message, username, onReact, onMore }: ReactionBarProps) {
  const { t } = useTranslation();
  const tone = useSettings((state) => state.skinTone);
  const own = findOwnEmoji(message, username);
  return (
    <Menu.Group className={css.bar} aria-label={t('reaction.bar')} onKeyDownCapture={moveInRow}>
      {QUICK_EMOJI.map(([neutral]) => {
        // A reaction in another tone can be taken back here, too.
        const chosen = [...own].find((emoji) => withoutSkinTone(emoji) === neutral);
        const emoji = chosen ?? withSkinTone(neutral, tone);
        return (
          <Menu.CheckboxItem
            key={neutral}
            className={css.emoji}
            aria-label={t('reaction.react', { emoji })}
            checked={chosen !== undefined}
            onCheckedChange={(isOn) => onReact(emoji, isOn)}
            closeOnClick
          >
            <EmojiText text={emoji} />
          </Menu.CheckboxItem>
        );
      })}
      <Menu.Item className={css.more} aria-label={t('reaction.more')} onClick={onMore}>
        <Plus />
      </Menu.Item>
    </Menu.Group>
  );
}

/** Moves the focus within the row, or out of it to the rest of the menu. */
function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: bar, target, key } = event;
  const row = [...bar.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const menu = bar.closest('[role="menu"]');
  const all = [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const others = all.filter((item) => !row.includes(item));
  const index = row.findIndex((item) => item.contains(target as Node));
  const isRtl = getComputedStyle(bar).direction === 'rtl';
  const next: Readonly<Record<string, HTMLElement | undefined>> = {
    [isRtl ? 'ArrowLeft' : 'ArrowRight']: row[(index + 1) % row.length],
    [isRtl ? 'ArrowRight' : 'ArrowLeft']: row.at(index - 1),
    ArrowDown: others[0],
    ArrowUp: others.at(-1),
  };
  const item = next[key];
  if (!item) return;
  event.preventDefault();
  event.stopPropagation();
  item.focus();
}
