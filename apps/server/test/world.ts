import { randomBytes } from 'node:crypto';
import type { Invitation } from '@parley/contract';
import { eraseAccount } from './fixtures.ts';
import { changeConsent, beginChat, send } from './chatting.ts';
import type { TestClient, TestServer, TestUser } from './harness.ts';
import { sample } from './samples.ts';
import { upload } from './uploading.ts';

/** A text that only the two members of a {@link World}'s chatroom may read. */
export const PRIVATE = 'a word for two';

/** The password of every account of the test harness. */
export const PASSWORD = 'password';

/** A chatroom with a message and an image, and users in every relation to it. */
export interface World {
  guest: TestClient;
  /** Signed in, but not a member. */
  outsider: TestUser;
  /** A member who has sent nothing. */
  member: TestUser;
  /** The member who sent the message and the image. */
  sender: TestUser;
  /** Has the cookie of a deleted account. */
  deleted: TestUser;
  /** Signed in, without a chatroom with any of the other users. */
  other: TestUser;
  chatroomId: string;
  messageId: string;
  /** The message with the image. */
  imageMessageId: string;
  /** File name of the image. */
  file: string;
  /** An invitation of the sender. */
  invitation: Invitation;
}

/** The roles whose permissions differ. */
export type Role = 'guest' | 'outsider' | 'member' | 'sender' | 'deleted';

/** The states of a chat for the member, and the actions that lead there from a request. */
export const MEMBER_STATES = {
  accepted: ['accept'],
  requested: [],
  declined: ['decline'],
  blocked: ['accept', 'block'],
  'requested and blocked': ['block'],
  'declined and blocked': ['decline', 'block'],
} as const;

/** Creates a world with new usernames. */
export async function createWorld(
  server: TestServer,
  state: keyof typeof MEMBER_STATES = 'accepted',
): Promise<World> {
  const mark = randomBytes(4).toString('hex');
  const users = await Promise.all(
    ['outsider', 'member', 'sender', 'deleted', 'other'].map((name) =>
      server.signIn(`${name}-${mark}`),
    ),
  );
  const [outsider, member, sender, deleted, other] = users as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  await eraseAccount(server, deleted);
  const chatroomId = await beginChat(sender, member, PRIVATE, { isRequest: true });
  const { _id: messageId } = await send(sender, chatroomId, PRIVATE);
  const picture = await upload(sender, 'image', sample('picture.png'));
  const url = String(picture.body.url);
  const { _id: imageMessageId } = await send(sender, chatroomId, url);
  const file = url.slice(url.lastIndexOf('/') + 1);
  for (const action of MEMBER_STATES[state]) await changeConsent(member, chatroomId, action);
  const { body: invitation } = await sender.request('POST', '/api/invitations', {
    isSingleUse: true,
  });
  return {
    guest: server.client(),
    outsider,
    member,
    sender,
    deleted,
    other,
    chatroomId,
    messageId,
    imageMessageId,
    file,
    invitation,
  };
}
