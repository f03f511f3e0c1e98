import type { MuteDuration } from '@parley/client';
import { Bell, BellOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../client/client-context.ts';
import { MenuItem } from '../../ui/DropdownMenu.tsx';

const HOUR = 60 * 60 * 1_000;

const CHOICES: readonly [
  text: 'muteHour' | 'mute8Hours' | 'muteWeek' | 'muteAlways',
  duration: MuteDuration,
][] = [
  ['muteHour', HOUR],
  ['mute8Hours', 8 * HOUR],
  ['muteWeek', 7 * 24 * HOUR],
  ['muteAlways', 'always'],
];

/** The menu items that mute a chat, or the one that ends the mute. */
export function MuteMenuItems({ chatroomId, isMuted }: { chatroomId: string; isMuted: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  if (isMuted) {
    return (
      <MenuItem icon={<Bell />} onClick={() => client.mute(chatroomId, undefined)}>
        {t('chatMenu.unmute')}
      </MenuItem>
    );
  }
  return CHOICES.map(([text, duration]) => (
    <MenuItem key={text} icon={<BellOff />} onClick={() => client.mute(chatroomId, duration)}>
      {t(`chatMenu.${text}`)}
    </MenuItem>
  ));
}
