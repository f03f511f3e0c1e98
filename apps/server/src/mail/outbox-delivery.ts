import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { mailHeaders, type MailDelivery } from './mail-delivery.ts';

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

/** `20250131T235959123Z`: sorts by time and is a file name everywhere. */
function fileStamp(date: Date): string {
  return date.toISOString().replace(/[-:.]/g, '');
}
