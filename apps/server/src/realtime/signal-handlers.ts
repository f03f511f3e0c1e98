import type { ClientSignals } from '@parley/contract';
import type { ViewTracker } from '../notifications/view-tracker.ts';
import type { PresenceNotifier } from '../presence/presence.service.ts';
import type { TypingNotifier } from '../typing/typing.service.ts';
import type { LiveSocket } from './live-socket.ts';
import type { SignalHandlers } from './signals.ts';

interface SignalDeps {
  readonly typing: Pick<TypingNotifier, 'notify'>;
  readonly presence: Pick<PresenceNotifier, 'follow' | 'activate' | 'deactivate'>;
  readonly views: Pick<ViewTracker, 'report'>;
}

/** Returns what the server does with the signals of clients. */
export function createSignalHandlers(deps: SignalDeps): SignalHandlers<ClientSignals> {
  const { typing, presence, views } = deps;

  function reportView(connection: LiveSocket): void {
    const { userId, isActive, viewedId } = connection;
    views.report(connection, { userId, isActive, chatroomId: viewedId });
  }

  return {
    typing: ({ userId }, { chatroom }) => typing.notify(userId, chatroom),
    presence: (connection, { isActive }) => {
      if (isActive === connection.isActive) return;
      const isFirst = connection.isActive === undefined;
      connection.isActive = isActive;
      const { userId } = connection;
      if (isFirst) presence.follow(userId);
      if (isActive) presence.activate(userId);
      else if (!isFirst) presence.deactivate(userId);
      reportView(connection);
    },
    attend: (connection, { chatroom }) => {
      const viewedId = chatroom?.toLowerCase() ?? null;
      if (viewedId === connection.viewedId) return;
      connection.viewedId = viewedId;
      reportView(connection);
    },
  };
}
