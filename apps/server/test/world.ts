import { randomBytes } from 'node:crypto';
import { leave } from './arrange.ts';
import { createRoom, send } from './chatting.ts';
import type { TestClient, TestServer, TestUser } from './harness.ts';
import { sample } from './samples.ts';
import { upload } from './uploading.ts';

/** What only the two of a {@link World}'s room may ever read. */
export const PRIVATE = 'a word for two';

/** The password that the test harness gives everybody. */
export const PASSWORD = 'password';

/** A room of two with a message and a picture, and everybody who might want to look into it. */
export interface World {
  nobody: TestClient;
  /** Signed in, and not in the room. */
  stranger: TestUser;
  /** In the room; sent nothing. */
  member: TestUser;
  /** In the room; sent the message and the picture. */
  sender: TestUser;
  /** Holds the cookie of an account that is gone. */
  deleted: TestUser;
  /** Knows none of them yet. */
  other: TestUser;
  room: string;
  message: string;
  /** File name of the picture. */
  file: string;
}

/** The people whose rights are told apart. */
export type Who = 'nobody' | 'stranger' | 'member' | 'sender' | 'deleted';

/** Makes a world whose names nobody has yet. */
export async function createWorld(server: TestServer): Promise<World> {
  const mark = randomBytes(4).toString('hex');
  const people = await Promise.all(
    ['stranger', 'member', 'sender', 'deleted', 'other'].map((name) =>
      server.signIn(`${name}-${mark}`),
    ),
  );
  const [stranger, member, sender, deleted, other] = people as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  await leave(server, deleted);
  const room = await createRoom(sender, member, PRIVATE);
  const { _id: message } = await send(sender, room, PRIVATE);
  const picture = await upload(sender, 'image', sample('picture.png'));
  const url = String(picture.body.url);
  await send(sender, room, url);
  const file = url.slice(url.lastIndexOf('/') + 1);
  return { nobody: server.client(), stranger, member, sender, deleted, other, room, message, file };
}
