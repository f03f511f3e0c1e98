import { LIMITS, type Message } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../../client/client-context.ts';
import { toastError } from '../../../../ui/show-toast.ts';
import { findOwnEmoji } from './own-emoji.ts';

interface ReactState {
  /** Adds a reaction to a message, or takes it back. */
  react: (message: Message, emoji: string, isOn: boolean) => void;
  /** Name of the user. */
  username: string;
}

/** Returns how to react to messages. Too many reactions are refused with a toast. */
export function useReact(): ReactState {
  const { t } = useTranslation();
  const client = useClient();
  const { username } = client;
  return {
    username,
    react: (message, emoji, isOn) => {
      const own = findOwnEmoji(message, username);
      if (isOn && !own.has(emoji) && own.size >= LIMITS.reactionsMax) {
        toastError(t('reaction.limit', { count: LIMITS.reactionsMax }));
      } else client.react(message, emoji, isOn);
    },
  };
}
