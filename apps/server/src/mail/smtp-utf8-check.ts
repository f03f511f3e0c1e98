import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { announcesSmtpUtf8, createResponseLogger } from './server-responses.ts';
import { createSmtpOptions } from './smtp-delivery.ts';

// Times in milliseconds.
/** Lifetime of a response, as operators change mail servers while Parley runs. */
const LIFETIME = 10 * 60_000;
/** Time until a mail server that could not be reached is tried again. */
const RETRY_PAUSE = 30_000;
/** Maximum time that a registration waits for the mail server. */
const DEADLINE = 10_000;

/**
 * Creates a function that resolves to whether the mail server accepts addresses with other letters than
 * ASCII before the `@`: to false as well while it cannot be reached. Mails that are written to files may have
 * any address.
 */
export function createSmtpUtf8Check({ smtpUrl }: Pick<Config, 'smtpUrl'>): () => Promise<boolean> {
  if (smtpUrl === undefined) return () => Promise.resolve(true);
  let latest: { readonly isSupported: Promise<boolean>; expiresAt: number } | undefined;
  return () => {
    if (latest === undefined || latest.expiresAt <= Date.now()) {
      const asked = { isSupported: askServer(smtpUrl), expiresAt: Date.now() + LIFETIME };
      asked.isSupported.catch(() => {
        asked.expiresAt = Date.now() + RETRY_PAUSE;
      });
      latest = asked;
    }
    return latest.isSupported.catch(() => false);
  };
}

/** Connects to the mail server. Rejects if that fails. */
async function askServer(smtpUrl: string): Promise<boolean> {
  let isSupported = false;
  const transport = createTransport({
    ...createSmtpOptions(smtpUrl),
    connectionTimeout: DEADLINE,
    greetingTimeout: DEADLINE,
    socketTimeout: DEADLINE,
    logger: createResponseLogger((response) => {
      isSupported ||= announcesSmtpUtf8(response);
    }),
    debug: true,
  });
  try {
    await transport.verify();
    return isSupported;
  } finally {
    transport.close();
  }
}
