import type { Changes, ChatSummary, Chatroom, Message } from '@parley/contract';
import type { DomainEvent } from '../src/events.ts';
import type { TestServer, TestUser } from './harness.ts';

/** Makes the room of two people with a first message and returns its id. */
export async function createRoom(
  user: TestUser,
  partner: TestUser,
  content = 'Hello',
): Promise<string> {
  const answer = await user.request('POST', '/api/chatrooms/create', {
    partnerName: partner.username,
    content,
  });
  expectStatus(answer, 201);
  return answer.body.chatroomId;
}

/** Sends a message and returns it. */
export async function send(
  user: TestUser,
  chatroom: string,
  content: string,
  clientId?: string,
): Promise<Message> {
  const body = { chatroom, content, ...(clientId !== undefined && { clientId }) };
  const answer = await user.request('POST', '/api/messages/send', body);
  if (answer.status !== 200) expectStatus(answer, 201);
  return answer.body;
}

/** A page of a room. */
export async function openRoom(user: TestUser, id: string, query = ''): Promise<Chatroom> {
  const answer = await user.request('GET', `/api/chatrooms/chats/${id}${query}`);
  expectStatus(answer, 200);
  return answer.body;
}

/** The chat list. */
export async function listChats(user: TestUser): Promise<ChatSummary[]> {
  const answer = await user.request('GET', '/api/chatrooms/chats');
  expectStatus(answer, 200);
  return answer.body.chatrooms;
}

/** One request of catching up. */
export async function changesSince(
  user: TestUser,
  since: Record<string, number>,
  limit?: number,
): Promise<Changes> {
  const body = { since, ...(limit !== undefined && { limit }) };
  const answer = await user.request('POST', '/api/chatrooms/changes', body);
  expectStatus(answer, 200);
  return answer.body;
}

/** Collects what the server publishes from now on. */
export function recordEvents(server: TestServer): DomainEvent[] {
  const events: DomainEvent[] = [];
  server.ctx.events.subscribe((event) => events.push(event));
  return events;
}

function expectStatus(answer: { status: number; body: unknown }, status: number): void {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}
