import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { TestServer } from './harness.ts';
import { until } from './until.ts';

/** Returns the mails that a server has written to files, oldest first. */
export async function readMails({ dataDir }: Pick<TestServer, 'dataDir'>): Promise<Email[]> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).toSorted();
  const mails = files.map(async (name) => {
    try {
      return await PostalMime.parse(await readFile(join(folder, name)));
    } catch (error) {
      // The server may have recalled the mail since the folder was listed.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  });
  return (await Promise.all(mails)).filter((mail) => mail !== undefined);
}

/**
 * Waits for the `count`-th mail to an address, until the server has recorded that it is sent. Before,
 * the server recalls a mail that becomes obsolete, as by the use of its key, and later ones count as earlier.
 */
export async function waitForMail(
  server: Pick<TestServer, 'dataDir'> & Partial<Pick<TestServer, 'ctx'>>,
  email: string,
  count = 1,
): Promise<Email> {
  return until(async () => {
    const mails = await readMails(server);
    const mail = mails.filter(({ to }) => to?.[0]?.address === email)[count - 1];
    return mail && !(await isQueued(server, mail)) && mail;
  });
}

async function isQueued(
  { ctx }: Partial<Pick<TestServer, 'ctx'>>,
  { messageId = '' }: Email,
): Promise<boolean> {
  const id = /[^<@]+/.exec(messageId)?.[0] ?? '';
  const row = await ctx?.storage.read((db) =>
    db.selectFrom('outgoing_mails').select('id').where('id', '=', id).executeTakeFirst(),
  );
  return row !== undefined;
}

/** Returns the key in the text of a mail. */
export function getKey(mail: Email): string {
  const key = /^ {4}(\w+)\r?$/m.exec(mail.text ?? '')?.[1];
  if (key === undefined) throw new Error('no key in this mail');
  return key;
}
