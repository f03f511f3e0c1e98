import { expect } from 'vitest';
import { beginChat, send } from './chatting.ts';
import { userAt, type TestServer, type TestUser } from './harness.ts';
import { connectLive } from './live.ts';
import { sample } from './samples.ts';
import { until } from './until.ts';
import { jpegOfSize, upload } from './uploading.ts';

/** Signs in a user whose requests go through the proxy at `url`. */
export async function signInThroughProxy(
  url: string,
  server: TestServer,
  username: string,
): Promise<TestUser> {
  return userAt(url, await server.signIn(username));
}

/**
 * Checks that a message is delivered live and that the largest upload succeeds. Returns the
 * upload's URL.
 */
export async function expectLiveAndUpload(
  url: string,
  ada: TestUser,
  bob: TestUser,
): Promise<string> {
  const live = await connectLive({ url }, bob);
  const chatroom = await beginChat(ada, bob, 'through the proxy');
  await until(() => live.events.some(([name]) => name === 'message'));

  const large = jpegOfSize(sample('picture.jpg'), 10 * 1024 * 1024);
  const { status, body } = await upload(ada, 'image', large);
  expect(status).toBe(201);
  await send(ada, chatroom, body.url);
  expect(await bob.request('GET', new URL(body.url).pathname)).toMatchObject({ status: 200 });
  return body.url;
}
