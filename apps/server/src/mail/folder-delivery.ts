import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalizeEmail } from '@parley/contract';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { createMailHeaders, type MailDelivery } from './mail-delivery.ts';

/** Number of bytes at the start of a mail that contain the header `To`. */
const MAX_HEADER_BYTES = 4096;

/** Returns the folder of the mails that are written to files. */
export function getMailFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox');
}

/**
 * Creates the delivery for servers without a mail server. It writes each mail to a file in `folder`
 * and its key to the log, so that the operator can register an account immediately.
 */
export function createFolderDelivery(
  folder: string,
  from: string,
  log: FastifyBaseLogger,
): MailDelivery {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(mail, rendered) {
      const { message } = await transport.sendMail(createMailHeaders(mail, rendered, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${fileStamp(new Date())}-${mail.purpose}${fileSuffix(mail.id)}`);
      // Renamed when complete, so that programs watching the folder never see a partial mail.
      await writeFile(`${file}.part`, message, { mode: 0o600 });
      await rename(`${file}.part`, file);
      const key = mail.key === null ? '' : ` The key in it is ${mail.key}.`;
      log.info(
        { file, user: mail.recipient_id },
        `A mail was written to a file, as PARLEY_SMTP_URL is not set.${key}`,
      );
    },
    async recall({ id }) {
      await removeMails(folder, async (file) => file.endsWith(fileSuffix(id)));
    },
    close: () => transport.close(),
  };
}

/**
 * Deletes the mails in `folder` that were written before a time in UTC milliseconds, even if a mail
 * server is configured now. Other files stay.
 */
export async function removeOldMails(folder: string, before: number): Promise<void> {
  await removeMails(folder, async (file) => (await stat(file)).mtimeMs < before);
}

/** Deletes the mails in `folder` to the email address with this {@link hashAddress hash}. */
export async function removeMailsTo(folder: string, hash: string): Promise<void> {
  await removeMails(folder, async (file) => {
    const address = await readRecipient(file);
    return address !== undefined && hashAddress(address) === hash;
  });
}

/** Hashes an email address in any form. The hash identifies its mails after the address itself was erased. */
export function hashAddress(email: string): string {
  return createHash('sha256').update(normalizeEmail(email)).digest('base64url');
}

async function removeMails(
  folder: string,
  shouldRemove: (file: string) => Promise<boolean>,
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((each) => /\.eml(?:\.part)?$/.test(each))) {
    const file = join(folder, name);
    try {
      if (await shouldRemove(file)) await rm(file, { force: true });
    } catch (error) {
      // The operator may have moved the file in the meantime.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/** Returns the email address in the header `To` of a mail that `deliver` wrote. */
async function readRecipient(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(MAX_HEADER_BYTES),
      0,
      MAX_HEADER_BYTES,
      0,
    );
    const head = buffer.toString('utf8', 0, bytesRead);
    return /^To:\s+<?([^\s<>]+)>?\s*$/im.exec(head)?.[1];
  } finally {
    await handle.close();
  }
}

function fileSuffix(mailId: string): string {
  return `-${mailId.slice(-12)}.eml`;
}

/** Formats a time for file names that sort by time, such as `20250131T235959123Z`. */
function fileStamp(date: Date): string {
  return date.toISOString().replace(/[-:.]/g, '');
}
