/** The part of a reply that is needed here, independent of the route's types. */
interface ReplyWithSerializer {
  serializer(write: () => string): unknown;
}

/** Makes a reply whose schema is null send an empty body instead of the text `null`. */
export function withoutBody<Reply extends ReplyWithSerializer>(reply: Reply): Reply {
  reply.serializer(() => '');
  return reply;
}
