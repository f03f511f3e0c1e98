import type { Shared } from '../model/partner-facts.ts';
import type { Tab } from '../world/tab.ts';
import type { HistoryWorld } from '../world/history-world.ts';

/** An action that changes what a chat is to a user. */
type StatusAction = 'accept' | 'decline' | 'block' | 'unblock';

/** Types in the chatroom. */
export function type(
  { facts, blocks }: HistoryWorld,
  { client, chatroomId, user, partnerName }: Tab,
): void {
  if (!client || chatroomId === undefined) return;
  const names = [user.username, partnerName];
  const mayKnow =
    names.every((name) => facts.isSharing(name, 'sharesTyping')) &&
    names.every((name) => facts.hasConsented(name)) &&
    names.every((name) => blocks.sinceOf(name) === undefined);
  if (mayKnow) facts.type(user.username);
  client.notifyTyping(chatroomId);
}

/** Changes what the user shares with partners. */
export async function share(
  { facts }: HistoryWorld,
  { user }: Tab,
  what: Shared,
  isShared: boolean,
): Promise<void> {
  const { username } = user;
  const wasShared = facts.isSharing(username, what);
  // During the request, the partner may be told.
  facts.share(username, what, true);
  const { status } = await user.request('PATCH', '/api/users/settings', { [what]: isShared });
  // Without a session, nothing changes.
  facts.share(username, what, status === 200 ? isShared : wasShared);
}

/** Accepts or declines the chat, or blocks or unblocks the partner. */
export async function changeStatus(
  world: HistoryWorld,
  tab: Tab,
  action: StatusAction,
): Promise<void> {
  const { client, user } = tab;
  const chatroomId = world.findChatroomId(tab);
  if (!client || chatroomId === undefined) return;
  const { username } = user;
  const { facts, ledger, blocks } = world;
  if (action === 'accept') facts.consent(username);
  if (action === 'block' || action === 'decline') {
    // It counts as reading everything.
    facts.acknowledge(username, chatroomId, { readSeq: Infinity });
    ledger.hide(username, await world.readMessages(user));
  }
  if (action === 'unblock') {
    await world.recordWithheld(user);
    blocks.requestUnblock(username);
  }
  client[action](chatroomId);
  void recordOutcome(world, username, tab.outcomeOfDecision(chatroomId), action);
}

async function recordOutcome(
  { blocks, ledger }: HistoryWorld,
  username: string,
  outcome: Promise<boolean>,
  action: StatusAction,
): Promise<void> {
  const recordBlock = action === 'block' ? blocks.requestBlock(username) : undefined;
  const isDone = await outcome;
  if (action === 'unblock') blocks.recordUnblock(username, isDone);
  if (isDone) recordBlock?.(ledger.count);
}
