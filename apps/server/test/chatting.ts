import type { Changes, ChatState, Chatroom, Message } from '@parley/contract';
import type { DomainEvent } from '../src/domain-events.ts';
import type { TestServer, TestUser } from './harness.ts';

/** How a first message arrives at a partner who does not accept it: as a quiet request, or like any other. */
export interface Arrival {
  isRequest?: boolean;
  isUndecided?: boolean;
}

/**
 * Creates a chatroom with a first message, which the partner accepts unless `isRequest` or `isUndecided`, and
 * returns its id. With `isRequest`, first messages are quiet requests for the partner from then on.
 */
export async function beginChat(
  user: TestUser,
  partner: TestUser,
  content = 'Hello',
  { isRequest = false, isUndecided = false }: Arrival = {},
): Promise<string> {
  if (isRequest) await receiveRequests(partner);
  const response = await user.request('POST', '/api/chatrooms/create', {
    partnerName: partner.username,
    content,
  });
  expectStatus(response, 201);
  const { chatroomId } = response.body;
  if (!isRequest && !isUndecided) await changeConsent(partner, chatroomId, 'accept');
  return chatroomId;
}

/** Makes first messages quiet requests for a user. */
export async function receiveRequests(user: TestUser): Promise<void> {
  const body = { whoMayWrite: 'requests' };
  expectStatus(await user.request('PATCH', '/api/users/settings', body), 200);
}

/** Two users and their chatroom. */
export interface Pair {
  readonly ada: TestUser;
  readonly bob: TestUser;
  /** Id of the chatroom, which Ada created. */
  readonly room: string;
}

interface PairOptions extends Arrival {
  names?: readonly [string, string];
  /** The first message. */
  content?: string;
}

/** Signs in two users and creates their chatroom, which Bob accepts unless `isRequest` or `isUndecided`. */
export async function createPair(
  server: TestServer,
  { names: [first, second] = ['Ada', 'Bob'], content = 'Hello', ...arrival }: PairOptions = {},
): Promise<Pair> {
  const ada = await server.signIn(first);
  const bob = await server.signIn(second);
  return { ada, bob, room: await beginChat(ada, bob, content, arrival) };
}

/** Accepts or declines a request, or blocks or unblocks the partner. */
export async function changeConsent(
  user: TestUser,
  chatroom: string,
  action: 'accept' | 'decline' | 'block' | 'unblock',
): Promise<void> {
  expectStatus(await user.request('POST', `/api/chatrooms/chats/${chatroom}/${action}`), 200);
}

/** Sends a message and returns it. */
export async function send(
  user: TestUser,
  chatroom: string,
  content: string,
  clientId?: string,
): Promise<Message> {
  const body = { chatroom, content, ...(clientId !== undefined && { clientId }) };
  const response = await user.request('POST', '/api/messages/send', body);
  if (response.status !== 200) expectStatus(response, 201);
  return response.body;
}

/** Returns a page of a chatroom. */
export async function readChatroom(user: TestUser, id: string, query = ''): Promise<Chatroom> {
  const response = await user.request('GET', `/api/chatrooms/chats/${id}${query}`);
  expectStatus(response, 200);
  return response.body;
}

/** Returns the state of a chat, as the response of its chatroom contains it. */
export async function openChat(user: TestUser, id: string): Promise<ChatState> {
  return (await readChatroom(user, id)).chat;
}

/** Returns the chat list. */
export async function openChatList(user: TestUser): Promise<ChatState[]> {
  const response = await user.request('GET', '/api/chatrooms/chats');
  expectStatus(response, 200);
  return response.body.chatrooms;
}

/** Requests the changes since the given revisions once. */
export async function changesSince(
  user: TestUser,
  since: Record<string, number>,
  limit?: number,
): Promise<Changes> {
  const body = { since, ...(limit !== undefined && { limit }) };
  const response = await user.request('POST', '/api/chatrooms/changes', body);
  expectStatus(response, 200);
  return response.body;
}

/** Records the events that the server publishes from now on. */
export function recordEvents(server: TestServer): DomainEvent[] {
  const events: DomainEvent[] = [];
  server.ctx.events.subscribe((event) => events.push(event));
  return events;
}

/** @throws unless a response has the status. */
export function expectStatus(response: { status: number; body: unknown }, status: number): void {
  if (response.status !== status) {
    throw new Error(`expected ${status}, got ${response.status}: ${JSON.stringify(response.body)}`);
  }
}
