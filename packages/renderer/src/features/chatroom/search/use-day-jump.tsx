import { ApiError, type Client, type FoundMessages, type LoadedChatroom } from '@parley/client';
import { useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { DayDialog } from '../../../shared/calendar/DayDialog.tsx';
import { startOfDay, type Day } from '../../../shared/calendar/days.ts';
import { OfflineNote } from '../../../shared/search/MessagesStatus.tsx';
import { toastError, toastInfo } from '../../../ui/show-toast.ts';
import type { ChatroomJumps } from '../jumps/use-chatroom-jumps.ts';

interface DayJump {
  /**
   * Opens the calendar.
   * @param opener where the focus returns if it is canceled, by default to where it was
   * @param selected the day that is selected at first
   */
  open: (opener?: RefObject<HTMLElement | null>, selected?: Day) => void;
  dialog: ReactNode;
}

/** How the calendar was opened. */
interface Opened {
  opener: RefObject<HTMLElement | null> | undefined;
  selected: Day | undefined;
}

/** Lets the user choose a day, and jumps to its first message, or to the next one after it. */
export function useDayJump(
  { id, messages }: Pick<LoadedChatroom, 'id' | 'messages'>,
  jumps: Pick<ChatroomJumps, 'jump'>,
): DayJump {
  const { t } = useTranslation();
  const client = useClient();
  const isOffline = useClientState(
    'connection',
    ({ status }) => status === 'offline' || status === 'reconnecting',
  );
  const [opened, setOpened] = useState<Opened>();

  const jump = async (day: Day): Promise<void> => {
    try {
      const page = await findSince(client, id, startOfDay(day));
      const found = page.hits[0]?.message;
      if (!found) toastInfo(t(page.isOffline ? 'calendar.noneOffline' : 'calendar.none'));
      // The dialog does not say so if the connection was lost afterwards.
      else if (page.isOffline && !isOffline) toastInfo(t('search.offline'));
      const message = found ?? messages.at(-1);
      if (message) jumps.jump({ seq: message.seq, messageId: message._id });
    } catch (error) {
      logFailure('jumping to a day', error);
      const hasLostConnection = error instanceof ApiError && error.code === 'offline';
      toastError(t(hasLostConnection ? 'reply.jumpOffline' : 'calendar.failed'));
    }
  };

  return {
    open: (opener, selected) => setOpened({ opener, selected }),
    dialog: opened && (
      <DayDialog
        title={t('calendar.jump')}
        note={isOffline && <OfflineNote />}
        finalFocus={opened.opener}
        selected={opened.selected}
        onChoose={(day) => void jump(day)}
        onClose={() => setOpened(undefined)}
      />
    ),
  };
}

/** Returns a page with the first message of a chatroom at a time or later, or without one if there is none. */
async function findSince(client: Client, chatroomId: string, time: Date): Promise<FoundMessages> {
  const conditions = { chatroomId, after: time.getTime() };
  let cursor: string | undefined;
  for (;;) {
    // The server may return a page without results before it has searched everything.
    const page = await client.findMessages(conditions, {
      order: 'oldest',
      limit: 1,
      ...(cursor !== undefined && { cursor }),
    });
    ({ cursor } = page);
    if (page.hits.length > 0 || cursor === undefined) return page;
  }
}
