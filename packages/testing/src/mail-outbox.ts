import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;

/**
 * Waits for an email to an address in a server's outbox folder and returns its newest key.
 * @param text something that the email says, in case another one may arrive first.
 */
export async function keyFromOutbox(outbox: string, email: string, text = ''): Promise<string> {
  const deadline = Date.now() + TIMEOUT_MS;
  const recipientLine = new RegExp(`^To: .*${RegExp.escape(email)}`, 'im');
  while (Date.now() < deadline) {
    const names = await readdir(outbox).catch(() => []);
    const newestFirst = names
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .toReversed();
    for (const name of newestFirst) {
      const mail = await readFile(join(outbox, name), 'utf8');
      if (!recipientLine.test(mail) || !mail.includes(text)) continue;
      const key = /^\s*([A-Za-z0-9]{20}|[A-Za-z0-9]{8}|\d{6})\s*$/m.exec(mail)?.[1];
      if (key !== undefined) return key;
    }
    await sleep(100);
  }
  throw new Error(`no key was emailed to ${email}`);
}
