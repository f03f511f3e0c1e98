import { newId } from '../src/storage/ids.ts';
import { deleteAccount } from '../src/accounts/account-deletion.service.ts';
import { mediaUrl } from '../src/media/media-url.ts';
import { postMessage } from '../src/messages/message.service.ts';
import { runOn } from './test-database.ts';
import { waitForErasure } from './wait-for-erasure.ts';
import type { TestServer, TestUser } from './harness.ts';

/** Properties of an upload for {@link addUpload}; an image by default. */
export interface UploadProperties {
  kind?: 'image' | 'audio';
  extension?: string;
  width?: number;
  height?: number;
  durationMs?: number;
  peaks?: readonly number[];
}

/** Inserts the row of an upload without a file, for tests of messages. */
export async function addUpload(
  server: TestServer,
  owner: TestUser,
  { kind = 'image', extension = 'png', width, height, durationMs, peaks }: UploadProperties = {},
): Promise<{ id: string; url: string }> {
  const id = newId();
  const file = `${id}.${extension}`;
  await server.ctx.storage.write(({ trx }) =>
    trx
      .insertInto('media')
      .values({
        id,
        owner_id: owner.id,
        kind,
        mime: `${kind}/${extension}`,
        size: 1,
        file,
        width: width ?? null,
        height: height ?? null,
        duration_ms: durationMs ?? null,
        peaks: peaks === undefined ? null : Buffer.from(peaks),
        created_at: Date.now(),
      })
      .execute(),
  );
  return { id, url: mediaUrl(server.ctx.config, file) };
}

/** Deletes an account and waits until its data is erased. */
export async function eraseAccount(server: TestServer, user: TestUser): Promise<void> {
  await deleteAccount(server.ctx, user.id);
  await waitForErasure(server);
}

/** Adds many messages to a chatroom in one write. Their texts are 0, 1, 2 … by default. */
export async function fillChat(
  server: TestServer,
  chatroomId: string,
  sender: TestUser,
  count: number,
  textOf: (i: number) => string = String,
): Promise<void> {
  await server.ctx.storage.write(async (write) => {
    for (let i = 0; i < count; i++) {
      const body = { text: textOf(i), uploadId: undefined, textKind: 'text' } as const;
      await postMessage(server.ctx, write, sender.id, { chatroom: chatroomId }, body);
    }
  });
  const { databaseUrl } = server.ctx.config;
  // As autovacuum does. Until then connections keep the plans that they made for a few messages.
  if (databaseUrl !== undefined) await runOn(databaseUrl, 'analyze messages');
}
