/** An interceptor of requests that the server refuses for good. */
export function refuse(): Response {
  return Response.json({ code: 'not_sender', errorMessage: 'no' }, { status: 403 });
}
