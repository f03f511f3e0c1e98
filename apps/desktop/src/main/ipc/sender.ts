/** The parts of the frame that sent a message. */
export interface Frame {
  readonly url: string;
}

/** The sender of a message. */
export interface Sender<F extends Frame> {
  /** Null once the frame is gone. */
  readonly senderFrame: F | null;
  readonly sender: { readonly mainFrame: F };
}

/** Returns whether a message comes from the main frame of a page of an origin. */
export function isTrustedSender<F extends Frame>(event: Sender<F>, origin: string): boolean {
  const frame = event.senderFrame;
  if (frame === null || frame !== event.sender.mainFrame) return false;
  return originOf(frame.url) === origin;
}

/** Returns scheme, host and port, also for custom schemes, whose `URL.origin` is opaque. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '') return undefined;
  return `${url.protocol}//${url.host}`;
}
