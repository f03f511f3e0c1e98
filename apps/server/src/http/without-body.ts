/** The part of a reply that this needs: every route's reply has it, whatever it is typed to send. */
interface BareReply {
  serializer(write: () => string): unknown;
}

/** Makes a reply whose schema is null send no byte at all; without this it says `null`. */
export function withoutBody<Reply extends BareReply>(reply: Reply): Reply {
  reply.serializer(() => '');
  return reply;
}
