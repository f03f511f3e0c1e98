import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { mailHeaders, type MailDelivery } from './mail-delivery.ts';

/** Folder of the mails that were written to files. */
export function outboxFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
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
      const { message } = await transport.sendMail(mailHeaders(mail, rendered, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(
        folder,
        `${fileStamp(new Date())}-${mail.purpose}-${mail.id.slice(-12)}.eml`,
      );
      // Renamed when it is whole: nobody who watches the folder sees half a mail.
      await writeFile(`${file}.part`, message, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info(
        { file },
        mail.key === null
          ? `Mail for ${mail.username} written to a file, as PARLEY_SMTP_URL is not set.`
          : `The key for ${mail.username} is ${mail.key} (no mail was sent, as PARLEY_SMTP_URL is not set).`,
      );
    },
    close: () => transport.close(),
  };
}

/**
 * Deletes the mails in `folder` that were written before a time (milliseconds since 1970), also those
 * of a time when no mail server was configured. Other files stay.
 */
export async function removeOldMails(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((each) => /\.eml(?:\.part)?$/.test(each))) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true });
  }
}

/** `20250131T235959123Z`: sorts by time and is a file name everywhere. */
function fileStamp(date: Date): string {
  return date.toISOString().replace(/[-:.]/g, '');
}
