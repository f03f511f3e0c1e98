import { decodePacket, encodePacket, type PacketType as EnginePacketType } from 'engine.io-parser';
import { Decoder, Encoder, isPacketValid, PacketType, type Packet } from 'socket.io-parser';
import type { ServerEvents } from '@parley/contract';
import type { LiveLimits } from './live-limits.ts';

/** The only namespace there is. */
export const NAMESPACE = '/';

/** What a client may say. */
export type ClientPacket =
  | { type: 'pong' }
  | { type: 'close' }
  | { type: 'connect'; namespace: string }
  | { type: 'disconnect'; namespace: string }
  | { type: 'ack'; namespace: string }
  | { type: 'event'; namespace: string; ackId: number | undefined };

/** Reads a text frame; undefined if it is not what a client may say. */
export function decodeClientPacket(text: string): ClientPacket | undefined {
  const { type, data } = decodePacket(text);
  if (type === 'pong' || type === 'close') return data === undefined ? { type } : undefined;
  if (type !== 'message' || typeof data !== 'string') return undefined;
  const packet = decodeMessage(data);
  if (packet === undefined || !isPacketValid(packet)) return undefined;
  const { nsp: namespace, id } = packet;
  switch (packet.type) {
    case PacketType.CONNECT:
      return { type: 'connect', namespace };
    case PacketType.DISCONNECT:
      return { type: 'disconnect', namespace };
    case PacketType.EVENT:
      return { type: 'event', namespace, ackId: id };
    case PacketType.ACK:
      return { type: 'ack', namespace };
    default:
      return undefined;
  }
}

// A decoder of its own each time: one that waits for the binary parts of a packet never gets another.
function decodeMessage(text: string): Packet | undefined {
  const decoder = new Decoder();
  let decoded: Packet | undefined;
  decoder.on('decoded', (packet) => {
    decoded = packet;
  });
  try {
    decoder.add(text);
  } catch {
    return undefined;
  }
  return decoded;
}

/** Engine.IO's handshake. */
export function encodeOpen(sid: string, limits: LiveLimits): string {
  const { pingInterval, pingTimeout, maxPayload } = limits;
  return encodeEngine(
    'open',
    JSON.stringify({ sid, upgrades: [], pingInterval, pingTimeout, maxPayload }),
  );
}

/** Engine.IO's heartbeat. */
export function encodePing(): string {
  return encodeEngine('ping');
}

/** Grants the namespace. */
export function encodeConnected(sid: string): string {
  return encodeMessage({ type: PacketType.CONNECT, nsp: NAMESPACE, data: { sid } });
}

/** Refuses a namespace. `message` is what the client's `connect_error` says. */
export function encodeConnectError(namespace: string, message: string): string {
  return encodeMessage({ type: PacketType.CONNECT_ERROR, nsp: namespace, data: { message } });
}

/** Ends the namespace; the client library does not come back by itself then. */
export function encodeDisconnect(): string {
  return encodeMessage({ type: PacketType.DISCONNECT, nsp: NAMESPACE });
}

/** Answers an event that asked for an acknowledgement. */
export function encodeAck(id: number, answer: unknown): string {
  return encodeMessage({ type: PacketType.ACK, nsp: NAMESPACE, id, data: [answer] });
}

/** An event as the bytes that go to every connection it concerns. */
export function encodeEvent<Name extends keyof ServerEvents>(
  name: Name,
  ...payload: Parameters<ServerEvents[Name]>
): Buffer {
  return Buffer.from(
    encodeMessage({ type: PacketType.EVENT, nsp: NAMESPACE, data: [name, ...payload] }),
  );
}

function encodeMessage(packet: Packet): string {
  return encodeEngine('message', String(new Encoder().encode(packet)[0]));
}

function encodeEngine(type: EnginePacketType, data?: string): string {
  let encoded = '';
  // The callback is called at once; it is one for the sake of binary data in browsers.
  encodePacket({ type, ...(data !== undefined && { data }) }, true, (text: string) => {
    encoded = text;
  });
  return encoded;
}
