import { isIP } from 'node:net';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The header of a request with which the doctor looks at what arrives through the public address. */
export const PROBE_HEADER = 'parley-probe';

/** The response to any frame on a websocket with it: an empty pong frame (RFC 6455 §5.5.3). */
export const PONG = Buffer.from([0x8a, 0]);

/** Text that a terminal can show. */
const Printable = Type.String({ pattern: '^[ -~]*$' });

const RequestArrival = Type.Object({
  product: Type.Literal('parley'),
  /** `https` if cookies are marked as secure. */
  protocol: Type.String(),
  /** Address by which the limits count the client. */
  client: Type.String(),
  /** Address of the connection: of the proxy, if there is one. */
  peer: Type.String(),
  /** Whether headers of the peer are trusted. */
  isPeerTrusted: Type.Boolean(),
  forwardedFor: Type.Optional(Printable),
  forwardedProto: Type.Optional(Printable),
  /** Bytes of the body. */
  received: Type.Integer({ minimum: 0 }),
});

/** How a request arrived at a server. */
export type RequestArrival = Static<typeof RequestArrival>;

/**
 * Parses the response to a request with the header of a probe. Returns undefined for any other response: the public
 * address may belong to others, and findings contain parts of it.
 */
export function parseArrival(body: string): RequestArrival | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!Value.Check(RequestArrival, value)) return undefined;
    return isIP(value.client) !== 0 && isIP(value.peer) !== 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
