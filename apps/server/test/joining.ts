import type { TestResponse, TestClient, TestServer } from './harness.ts';
import { getKey, waitForMail } from './mails.ts';

/** A user who registered through the API. */
export interface Member extends TestClient {
  username: string;
  email: string;
  password: string;
}

/** Returns the registration details for a username. */
export function details(username: string) {
  return {
    username,
    email: `${username.toLowerCase()}@example.org`,
    password: `${username}-secret`,
  };
}

/** Registers a user and, by default, verifies the account and logs in, using HTTP and mail. */
export async function join(
  server: TestServer,
  username: string,
  upTo: 'registered' | 'verified' | 'logged in' = 'logged in',
): Promise<Member> {
  const member = Object.assign(server.client(), details(username));
  const { email, password } = member;
  expectSuccess(await member.request('POST', '/api/users/register', { username, email, password }));
  if (upTo === 'registered') return member;
  const key = getKey(await waitForMail(server, email));
  expectSuccess(await member.request('POST', '/api/users/register/verify', { email, key }));
  if (upTo === 'verified') return member;
  await login(member, { email, password });
  return member;
}

/** Logs a client in. */
export async function login(
  client: TestClient,
  { email, password }: { email: string; password: string },
): Promise<void> {
  expectSuccess(await client.request('POST', '/api/users/login', { email, password }));
}

function expectSuccess({ status, body }: TestResponse): void {
  if (status >= 300) throw new Error(`refused with ${status}: ${JSON.stringify(body)}`);
}
