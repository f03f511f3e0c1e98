import type { ServerResponse } from 'node:http';
import type { App } from '../context.ts';
import { clientNetwork } from '../http/client-address.ts';
import { isJsonReply } from '../http/is-json-reply.ts';

const MEBIBYTE = 2 ** 20;
/** About eight of the largest pages of messages, of an account or a network. */
const LIMITS = { ofOwner: 8 * MEBIBYTE, ofAll: 64 * MEBIBYTE };
/** Bytes of responses that are not counted, since each connection has only one in memory. */
const UNCOUNTED_MAX = 16 * 1024;

/** Limits the JSON responses in memory that clients do not read. Register it after the compression. */
export function registerUnsentResponses(app: App): void {
  const add = createUnsentResponses(LIMITS);
  app.addHook('onSend', (request, reply, payload, done) => {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (size > UNCOUNTED_MAX && isJsonReply(reply)) {
      add(request.session.userId ?? clientNetwork(request), reply.raw, size);
    }
    done(null, payload);
  });
}

interface Owner {
  readonly id: string;
  /** The size of each response in memory, oldest first. */
  readonly responses: Map<ServerResponse, number>;
  bytes: number;
}

/**
 * Returns a function that counts a response of an owner until it is sent. If there is too much of an owner, the
 * connection of the owner's oldest response is closed; if there is too much of all, that of the owner with the most.
 */
export function createUnsentResponses(
  limits: typeof LIMITS,
): (ownerId: string, response: ServerResponse, size: number) => void {
  const owners = new Map<string, Owner>();
  let total = 0;

  function remove(owner: Owner, response: ServerResponse): void {
    const size = owner.responses.get(response) ?? 0;
    owner.responses.delete(response);
    owner.bytes -= size;
    total -= size;
    if (owner.bytes === 0) owners.delete(owner.id);
  }

  function closeOldest(owner: Owner): void {
    const [oldest] = owner.responses.keys();
    if (oldest === undefined) return;
    remove(owner, oldest);
    oldest.destroy();
  }

  return (id, response, size) => {
    const owner = owners.get(id) ?? { id, responses: new Map<ServerResponse, number>(), bytes: 0 };
    owners.set(id, owner);
    owner.responses.set(response, size);
    owner.bytes += size;
    total += size;
    response.once('close', () => {
      if (owner.responses.has(response)) remove(owner, response);
    });
    while (owner.bytes > limits.ofOwner) closeOldest(owner);
    while (total > limits.ofAll) {
      closeOldest([...owners.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a)));
    }
  };
}
