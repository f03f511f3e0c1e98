import type { SearchBody, SearchResponse } from '@parley/contract';
import { expectStatus } from './chatting.ts';
import type { TestUser } from './harness.ts';

/** Searches once. */
export async function search(user: TestUser, body: SearchBody): Promise<SearchResponse> {
  const response = await user.request('POST', '/api/messages/search', body);
  expectStatus(response, 200);
  return response.body;
}

/** Returns the contents of the hits of all pages. */
export async function contents(user: TestUser, body: SearchBody): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search(user, { ...body, ...(cursor !== undefined && { cursor }) });
    found.push(...page.hits.map(({ message }) => message.content));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
