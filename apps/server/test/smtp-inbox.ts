import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { selfSigned, type Certificate } from './certificate.ts';
import { until } from './until.ts';

/** A real mail server on a free port. */
export interface SmtpInbox {
  port: number;
  /** The received mails, parsed. */
  mails: readonly Email[];
  /** For each mail, whether the connection was encrypted and which user had logged in. */
  sessions: readonly { secure: boolean; user: string | undefined }[];
  /** The envelopes of the mails: how the server was asked to deliver them. */
  envelopes: readonly SMTPServerSession['envelope'][];
  /** Waits for the `count`-th mail to an address. */
  waitForMail(email: string, count?: number): Promise<Email>;
  /** Uses another certificate for connections from now on. */
  useCertificate(certificate: Certificate): void;
  close(): Promise<void>;
}

/** The user and password that {@link startSmtpInbox} accepts. */
export const SMTP_USER = { user: 'parley', pass: 'p@ss/word' };

/** The certificate of every inbox, for tests that trust it. */
export const SMTP_CERTIFICATE = selfSigned();

/** Starts a mail server that requires a login over TLS unless `options` says otherwise. */
export async function startSmtpInbox(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<SmtpInbox> {
  const mails: Email[] = [];
  const sessions: { secure: boolean; user: string | undefined }[] = [];
  const envelopes: SMTPServerSession['envelope'][] = [];
  const server = new SMTPServer({
    ...SMTP_CERTIFICATE,
    onAuth({ username, password }, _session, done) {
      const isRight = username === SMTP_USER.user && password === SMTP_USER.pass;
      done(isRight ? null : new Error('wrong'), isRight ? { user: username } : undefined);
    },
    onData: callbackify(async (stream: Readable, session: SMTPServerSession) => {
      const { envelope } = session;
      mails.push(await receive(stream));
      envelopes.push(envelope);
      sessions.push({ secure: session.secure, user: session.user });
    }),
    ...options,
  });
  // Ignore errors: in some tests, the client does not trust the certificate and disconnects.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as AddressInfo;
  return {
    port: address.port,
    mails,
    sessions,
    envelopes,
    waitForMail: (email, count = 1) =>
      until(() => mails.filter((mail) => mail.to?.[0]?.address === email)[count - 1]),
    useCertificate: (certificate) => server.updateSecureContext(certificate),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function receive(stream: Readable): Promise<Email> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return PostalMime.parse(Buffer.concat(chunks));
}
