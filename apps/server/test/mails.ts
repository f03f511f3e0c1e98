import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { TestServer } from './harness.ts';
import { until } from './until.ts';

/** Returns the mails in a server's outbox folder, oldest first. */
export async function readOutbox({ dataDir }: Pick<TestServer, 'dataDir'>): Promise<Email[]> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).toSorted();
  return Promise.all(files.map(async (f) => PostalMime.parse(await readFile(join(folder, f)))));
}

/** Waits for the `count`-th mail to an address. */
export async function waitForMail(
  server: Pick<TestServer, 'dataDir'>,
  email: string,
  count = 1,
): Promise<Email> {
  return until(async () => {
    const mails = await readOutbox(server);
    return mails.filter((mail) => mail.to?.[0]?.address === email)[count - 1];
  });
}

/** Returns the key in the text of a mail. */
export function getKey(mail: Email): string {
  const key = /^ {4}(\w+)\r?$/m.exec(mail.text ?? '')?.[1];
  if (key === undefined) throw new Error('no key in this mail');
  return key;
}
