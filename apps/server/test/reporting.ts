import type { ReportBody } from '@parley/contract/schemas';
import { send } from './chatting.ts';
import type { TestResponse, TestServer, TestUser } from './harness.ts';
import { runCommand } from './run-command.ts';
import { sample } from './samples.ts';
import { upload } from './uploading.ts';

/** Reports the partner in a chatroom, by default without messages. */
export function reportPartner(
  user: TestUser,
  chatroom: string,
  body: Partial<ReportBody> = {},
): Promise<TestResponse> {
  return user.request('POST', '/api/reports', {
    chatroom,
    messageIds: [],
    reason: 'spam',
    ...body,
  });
}

/** Uploads a picture and sends it. Returns the ids of its message and file. */
export async function sendPicture(
  user: TestUser,
  chatroom: string,
  bytes = sample('picture.jpg'),
): Promise<{ id: string; file: string }> {
  const { body } = await upload(user, 'image', bytes);
  const { _id: id } = await send(user, chatroom, body.url);
  return { id, file: String(body.url).split('/').at(-1) ?? '' };
}

/** Returns what `parley report list` prints as JSON. */
export async function listReportsAsJson({ variables }: TestServer, ...args: string[]) {
  return (await runCommand(variables, 'report', 'list', ...args, '--json')).json;
}

/** Returns what `parley report show` prints as JSON. */
export async function showReportAsJson({ variables }: TestServer, id: string, ...args: string[]) {
  return (await runCommand(variables, 'report', 'show', id, ...args, '--json')).json;
}

/** Counts the reports, the copies of messages, and the parts of files. */
export async function countReportRows({ ctx }: TestServer): Promise<number[]> {
  return ctx.storage.read(async (db) => {
    const counts: number[] = [];
    for (const table of ['reports', 'report_messages', 'report_file_parts'] as const) {
      counts.push((await db.selectFrom(table).selectAll().execute()).length);
    }
    return counts;
  });
}
