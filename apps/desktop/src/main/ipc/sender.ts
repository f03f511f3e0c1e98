/** The frame that a message came from, as far as it is judged. */
export interface Frame {
  readonly url: string;
}

/** Whom a message came from. */
export interface Sender<F extends Frame> {
  /** Null once the frame is gone. */
  readonly senderFrame: F | null;
  readonly sender: { readonly mainFrame: F };
}

/** Whether a message comes from the main frame of a page of one origin. */
export function isTrustedSender<F extends Frame>(event: Sender<F>, origin: string): boolean {
  const frame = event.senderFrame;
  if (frame === null || frame !== event.sender.mainFrame) return false;
  return originOf(frame.url) === origin;
}

/** Scheme, host and port; also for schemes that a URL counts as opaque. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '') return undefined;
  return `${url.protocol}//${url.host}`;
}
