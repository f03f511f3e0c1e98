import { idFloor } from '../src/storage/ids.ts';
import type { TestServer } from './harness.ts';

/**
 * Changes the times in the ids of a chatroom's messages. Without `time`, these are when the messages were sent:
 * Node.js creates ids with the clock of the machine, also while a test holds it.
 */
export async function setIdTimes(
  server: TestServer,
  chatroomId: string,
  time?: number,
): Promise<void> {
  await server.ctx.storage.write(async ({ trx }) => {
    const rows = await trx
      .selectFrom('messages')
      .select(['id', 'created_at'])
      .where('chatroom_id', '=', chatroomId)
      .execute();
    for (const { id, created_at: sentAt } of rows) {
      await trx
        .updateTable('messages')
        .set({ id: idFloor(time ?? sentAt).slice(0, 14) + id.slice(14) })
        .where('id', '=', id)
        .execute();
    }
  });
}
