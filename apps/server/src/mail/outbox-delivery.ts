import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { createMailHeaders, type MailDelivery } from './mail-delivery.ts';

/** Bytes at the start of a mail that its first headers fit into. */
const MAX_HEADER_BYTES = 4096;

/** Folder of the mails that were written to files. */
export function getOutboxFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox');
}

/**
 * Where no mail server is configured: writes each mail to a file in `folder` and its key to the log,
 * so that whoever runs the server can register at once.
 */
export function createOutboxDelivery(
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
      // Renamed when it is whole: nobody who watches the folder sees half a mail.
      await writeFile(`${file}.part`, message, { mode: 0o600 });
      await rename(`${file}.part`, file);
      const key = mail.key === null ? '' : ` The key in it is ${mail.key}.`;
      log.info(
        { file, user: mail.user_id },
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
 * Deletes the mails in `folder` that were written before a time (milliseconds since 1970), also those
 * of a time when no mail server was configured. Other files stay.
 */
export async function removeOldMails(folder: string, before: number): Promise<void> {
  await removeMails(folder, async (file) => (await stat(file)).mtimeMs < before);
}

/** Deletes the mails in `folder` to the address with a hash of {@link hashAddress}. */
export async function removeMailsTo(folder: string, hash: string): Promise<void> {
  await removeMails(folder, async (file) => {
    const address = await readRecipient(file);
    return address !== undefined && hashAddress(address) === hash;
  });
}

/** By what mails to an address are found once the address itself is gone. */
export function hashAddress(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
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
      // An operator may have moved it away this moment.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/** The address in the `To` header, as `deliver` writes it: the headers are at the start. */
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

/** `20250131T235959123Z`: sorts by time and is a file name everywhere. */
function fileStamp(date: Date): string {
  return date.toISOString().replace(/[-:.]/g, '');
}
