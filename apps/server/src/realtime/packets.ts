import { decodePacket, encodePacket, type PacketType as EnginePacketType } from 'engine.io-parser';
import { Decoder, Encoder, isPacketValid, PacketType, type Packet } from 'socket.io-parser';
import type { ServerEvents } from '@parley/contract';
import type { LiveLimits } from './live-limits.ts';

/** The only namespace. */
export const NAMESPACE = '/';

/** A packet that clients may send. */
export type ClientPacket =
  | { type: 'pong' }
  | { type: 'close' }
  | { type: 'connect'; namespace: string }
  | { type: 'disconnect'; namespace: string }
  | { type: 'ack'; namespace: string }
  | {
      type: 'event';
      namespace: string;
      ackId: number | undefined;
      name: string;
      payload: unknown;
    };

/** Decodes a text frame. Returns undefined for anything that clients may not send. */
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
    case PacketType.EVENT: {
      const [name, payload]: unknown[] = packet.data;
      return { type: 'event', namespace, ackId: id, name: String(name), payload };
    }
    case PacketType.ACK:
      return { type: 'ack', namespace };
    default:
      return undefined;
  }
}

// Uses a new decoder per message: a decoder that waits for binary attachments accepts nothing else.
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

/** Encodes the Engine.IO handshake. */
export function encodeOpen(sid: string, limits: LiveLimits): string {
  const { pingInterval, pingTimeout, maxPayload } = limits;
  return encodeEngine(
    'open',
    JSON.stringify({ sid, upgrades: [], pingInterval, pingTimeout, maxPayload }),
  );
}

/** Encodes an Engine.IO ping. */
export function encodePing(): string {
  return encodeEngine('ping');
}

/** Encodes the confirmation of a CONNECT. */
export function encodeConnected(sid: string): string {
  return encodeMessage({ type: PacketType.CONNECT, nsp: NAMESPACE, data: { sid } });
}

/** Encodes the rejection of a CONNECT. The client's `connect_error` event contains `message`. */
export function encodeConnectError(namespace: string, message: string): string {
  return encodeMessage({ type: PacketType.CONNECT_ERROR, nsp: namespace, data: { message } });
}

/** Encodes a DISCONNECT, after which the client library does not reconnect automatically. */
export function encodeDisconnect(): string {
  return encodeMessage({ type: PacketType.DISCONNECT, nsp: NAMESPACE });
}

/** Encodes the acknowledgement of an event. */
export function encodeAck(id: number, response: unknown): string {
  return encodeMessage({ type: PacketType.ACK, nsp: NAMESPACE, id, data: [response] });
}

/** First byte of a websocket frame with a whole text (RFC 6455 §5.2). */
const TEXT_FRAME = 0x81;

/**
 * Encodes an event as a websocket frame that can be written to many connections. Most frames that a server sends are
 * such events, so that this does without the encoders.
 */
export function encodeEvent<Name extends keyof ServerEvents>(
  name: Name,
  payload: ServerEvents[Name],
): Buffer {
  const text = `42${JSON.stringify([name, payload])}`;
  const length = Buffer.byteLength(text);
  const start = headerLength(length);
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = TEXT_FRAME;
  if (start === 2) {
    frame[1] = length;
  } else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, start);
  return frame;
}

/** Returns the length of the header of a frame, which contains the length of its text. */
function headerLength(length: number): number {
  if (length < 126) return 2;
  return length < 2 ** 16 ? 4 : 10;
}

function encodeMessage(packet: Packet): string {
  return encodeEngine('message', String(new Encoder().encode(packet)[0]));
}

function encodeEngine(type: EnginePacketType, data?: string): string {
  let encoded = '';
  // For text, the callback is called synchronously.
  encodePacket({ type, ...(data !== undefined && { data }) }, true, (text: string) => {
    encoded = text;
  });
  return encoded;
}
