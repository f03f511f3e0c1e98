import type { ClientSignals, PartnerPresence, PayloadHandlers } from '@parley/contract';
import { clientSignals } from '@parley/contract/schemas';
import { Value } from 'typebox/value';
import { listViews, type View } from './views.ts';
import type { LiveConnection, LiveListener } from './memory-server.ts';
import { emit, toTimestamp, type Connection, type Session, type State } from './state.ts';

/** Opens the live connection of a session. */
export function openConnection(
  state: State,
  session: Session,
  listener: LiveListener,
): LiveConnection {
  const { id: sessionId, accountId } = session;
  const connection: Connection = { sessionId, accountId, listener, isActive: undefined };
  state.connections.add(connection);
  const handlers: PayloadHandlers<ClientSignals> = {
    typing: ({ chatroom }) => tellTyping(state, accountId, chatroom),
    presence: ({ isActive }) => setActive(state, connection, isActive),
    // Only matters for push messages.
    attend: () => undefined,
  };
  return {
    signal: (name, payload) => {
      if (!state.connections.has(connection) || !isSignalName(name)) return;
      const handle = handlers[name] as (payload: unknown) => void;
      if (Value.Check(clientSignals[name].payload, payload)) handle(payload);
    },
    close: () => {
      if (!state.connections.delete(connection)) return;
      if (connection.isActive === true) leave(state, accountId);
    },
  };
}

function isSignalName(name: string): name is keyof ClientSignals {
  return Object.hasOwn(clientSignals, name);
}

/** Returns the chats of a user in which both have accepted and not blocked each other. */
function acceptedViews(state: State, accountId: string): View[] {
  return listViews(state, accountId).filter(
    ({ room, partnerAccount }) =>
      partnerAccount !== undefined &&
      room.members.every(
        ({ consent, blockedAt }) => consent === 'accepted' && blockedAt === undefined,
      ),
  );
}

function tellTyping(state: State, accountId: string, chatroom: string): void {
  const view = acceptedViews(state, accountId).find(({ room }) => room.id === chatroom);
  const isShared =
    state.accounts.get(accountId)?.sharesTyping && view?.partnerAccount?.sharesTyping;
  if (!view || !isShared) return;
  emit(state, [view.partner.accountId], { name: 'typing', payload: { chatroom } });
}

function isOnline(state: State, accountId: string): boolean {
  return state.connections
    .values()
    .some((connection) => connection.accountId === accountId && connection.isActive === true);
}

function presenceOf(state: State, accountId: string): PartnerPresence {
  if (isOnline(state, accountId)) return { isOnline: true };
  const lastSeenAt = state.accounts.get(accountId)?.lastSeenAt;
  return { isOnline: false, ...(lastSeenAt && { lastSeenAt: toTimestamp(lastSeenAt) }) };
}

/** Returns the chats of a user whose partners share their presence with the user. */
function sharingViews(state: State, accountId: string): View[] {
  if (!state.accounts.get(accountId)?.sharesPresence) return [];
  return acceptedViews(state, accountId).filter(
    ({ partnerAccount }) => partnerAccount?.sharesPresence,
  );
}

function setActive(state: State, connection: Connection, isActive: boolean): void {
  const { accountId } = connection;
  const wasOnline = isOnline(state, accountId);
  const isFirst = connection.isActive === undefined;
  connection.isActive = isActive;
  if (isFirst) {
    const entries = sharingViews(state, accountId).map(
      ({ room, partner }) => [room.id, presenceOf(state, partner.accountId)] as const,
    );
    const rooms = Object.fromEntries(entries);
    connection.listener.onEvent({ name: 'presence', payload: { rooms, isComplete: true } });
  }
  if (isOnline(state, accountId) !== wasOnline) announcePresence(state, accountId);
}

function leave(state: State, accountId: string): void {
  if (!isOnline(state, accountId)) announcePresence(state, accountId);
}

/** Tells the partners of a user that the user is online, or when the user was. */
function announcePresence(state: State, accountId: string): void {
  const account = state.accounts.get(accountId);
  if (account) account.lastSeenAt = Date.now();
  const presence = presenceOf(state, accountId);
  for (const { room, partner } of sharingViews(state, accountId)) {
    for (const { accountId: followerId, isActive, listener } of state.connections) {
      if (followerId !== partner.accountId || isActive === undefined) continue;
      const rooms = { [room.id]: presence };
      listener.onEvent({ name: 'presence', payload: { rooms, isComplete: false } });
    }
  }
}
