import type { ChatState } from '@parley/contract';
import { deliveryOf, findLoadedChatroom, type Client } from '../../../src/index.ts';
import { isUnaccepted } from '../../../src/stores/chat-list.ts';
import type { Tab } from '../world/tab.ts';
import type { PartnerFacts } from '../model/partner-facts.ts';

interface Watched {
  readonly client: Client;
  readonly partnerName: string;
  readonly facts: PartnerFacts;
  /** Returns whether the user may have blocked the partner or turned receipts off. */
  readonly mayForgetReceipts: () => boolean;
  readonly onProblem: (problem: string) => void;
}

/**
 * Reports ticks that move back or are ahead of what the partner's devices acknowledged, and activity
 * that the user must not know or that never happened.
 */
export function watchPartner(watched: Watched): void {
  const { client } = watched;
  const ticks = new Map<number, number>();
  const checkTicks = (): void => findTickProblems(watched, ticks).forEach(watched.onProblem);
  client.chats.subscribe(checkTicks);
  client.rooms.subscribe(checkTicks);
  client.activity.subscribe(() => findActivityProblems(watched).forEach(watched.onProblem));
}

const TICKS = ['sent', 'delivered', 'read'] as const;

/** @param ticks the ticks of own messages at the last call, by `seq` */
function findTickProblems(
  { client, partnerName, facts, mayForgetReceipts }: Watched,
  ticks: Map<number, number>,
): string[] {
  const problems: string[] = [];
  const chat = client.chats.getState().chats.find(({ names }) => names.includes(partnerName));
  if (!chat) return problems;
  const { deliveredSeq, readSeq } = facts.acknowledgedBy(partnerName, chat.id);
  for (const seq of findOwnSeqs(client, chat)) {
    const delivery = deliveryOf(seq, chat.receipt);
    const tick = TICKS.indexOf(delivery);
    if (delivery === 'read' && seq > readSeq) {
      problems.push(`${seq} is shown as read, but only ${readSeq} was`);
    }
    if (delivery !== 'sent' && seq > deliveredSeq) {
      problems.push(`${seq} is shown as delivered, but only ${deliveredSeq} was`);
    }
    if (tick < (ticks.get(seq) ?? 0) && !mayForgetReceipts()) {
      problems.push(`${seq} is shown as ${delivery} again`);
    }
    ticks.set(seq, tick);
  }
  return problems;
}

function findOwnSeqs(
  client: Client,
  { id, last }: { id: string; last: { isOwn: boolean; seq: number } | null },
): Set<number> {
  const room = findLoadedChatroom(client.rooms.getState(), id);
  const own = room?.messages.filter(({ sender }) => sender.username === client.username) ?? [];
  const seqs = new Set(own.map(({ seq }) => seq));
  if (last?.isOwn) seqs.add(last.seq);
  return seqs;
}

function findActivityProblems({ client, partnerName, facts }: Watched): string[] {
  const { typing, presence } = client.activity.getState();
  const chats = client.chats.getState().chats;
  const told = new Set([...typing, ...Object.keys(presence)]);
  if (told.size === 0) return [];
  const problems: string[] = [];
  const shared = chats.find(({ names }) => names.includes(partnerName))?.id;
  const mayKnow = facts.hasConsented(client.username) && facts.hasConsented(partnerName);
  for (const chatroomId of told) {
    const isOther = chats.some(({ id }) => id === chatroomId) && chatroomId !== shared;
    if (isOther || !mayKnow) problems.push('the activity of a user is told without consent');
  }
  if (typing.size > 0 && !facts.hasTyped(partnerName))
    problems.push('a partner who does not type is typing');
  const isActive = Object.values(presence).some(({ isOnline }) => isOnline);
  if (isActive && !facts.hasBeenActive(partnerName)) problems.push('an idle partner is online');
  return problems;
}

/** What a user's own state on the server says about the chatroom. */
type OwnChatroom = Pick<ChatState, 'status' | 'readSeq'>;

function hasAccepted({ status }: OwnChatroom): boolean {
  return !isUnaccepted({ status });
}

/** What decides how much a user is told about the partner. */
export interface ExpectedPartner {
  readonly chatroomId: string;
  readonly facts: PartnerFacts;
  /** The chatroom of the user and of the partner, undefined if it does not exist for them. */
  readonly own: OwnChatroom | undefined;
  readonly partner: OwnChatroom | undefined;
  /** Whether any of them has ever blocked or declined the chat. */
  readonly hasHidden: boolean;
  /** Whether a device of the partner is in use. */
  readonly isPartnerActive: boolean;
}

/** Returns the differences between the ticks of a tab and what the partner's devices have. */
export function findReceiptProblems(
  { client, partnerName }: Tab,
  { chatroomId, facts, own, partner, hasHidden }: ExpectedPartner,
): string[] {
  const chat = client?.chats.getState().chats.find(({ id }) => id === chatroomId);
  if (!client || !chat || !own || !partner || hasHidden) return [];
  const isShared = [client.username, partnerName].every((username) =>
    facts.hasAlwaysShared(username, 'sharesReceipts'),
  );
  if (!isShared) return [];
  const isAccepted = hasAccepted(own) && hasAccepted(partner);
  return [...findOwnSeqs(client, chat)].flatMap((seq) => {
    // All devices have loaded all messages.
    const accepted = seq <= partner.readSeq ? 'read' : 'delivered';
    const expected = isAccepted ? accepted : 'sent';
    const found = deliveryOf(seq, chat.receipt);
    return found === expected ? [] : [`${seq} is shown as ${found}, not ${expected}`];
  });
}

/** Returns the differences between what a tab shows of the partner's activity and the truth. */
export function findActivityDifferences(
  { client, partnerName }: Tab,
  { chatroomId, facts, own, partner, isPartnerActive }: ExpectedPartner,
): string[] {
  if (!client) return [];
  const problems: string[] = [];
  const { typing, presence } = client.activity.getState();
  if (typing.size > 0) problems.push('the partner is still typing');
  const { [chatroomId]: told, ...others } = presence;
  if (Object.keys(others).length > 0) problems.push('the presence in another chat is told');
  const isShared =
    [own, partner].every((room) => room && hasAccepted(room) && room.status !== 'blocked') &&
    [client.username, partnerName].every((name) => facts.isSharing(name, 'sharesPresence'));
  if (!isShared && told) problems.push('the presence is told, but not shared');
  if (isShared && isPartnerActive && told?.isOnline !== true) {
    problems.push('a partner who is online is not shown as such');
  }
  if (isShared && !facts.hasBeenActive(partnerName) && told?.isOnline !== false) {
    problems.push('the presence of an idle partner is not told');
  }
  return problems;
}
