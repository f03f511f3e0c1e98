import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The header of a request with which the doctor looks at what arrives through the public address. */
export const PROBE_HEADER = 'parley-probe';

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
  forwardedFor: Type.Optional(Type.String()),
  forwardedProto: Type.Optional(Type.String()),
  /** Bytes of the body. */
  received: Type.Integer(),
});

/** How a request arrived at a server. */
export type RequestArrival = Static<typeof RequestArrival>;

/** Parses the response to a request with the header of a probe. Returns undefined for any other response. */
export function parseArrival(body: string): RequestArrival | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Value.Check(RequestArrival, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
