/** Creates a logger for nodemailer, with `debug: true`, that passes on each response of the mail server. */
export function createResponseLogger(onResponse: (text: string) => void) {
  const log = (entry: unknown, text: unknown) => {
    if (typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'server') {
      onResponse(String(text));
    }
  };
  const ignore = () => undefined;
  return {
    level: ignore,
    trace: ignore,
    debug: log,
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };
}

/** Returns whether a response to `EHLO` announces the extension SMTPUTF8 (RFC 6531). */
export function announcesSmtpUtf8(response: string): boolean {
  return /^250[ -]SMTPUTF8\b/im.test(response);
}
